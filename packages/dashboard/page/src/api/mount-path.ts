/**
 * The address of this script. A constant, because Vite would look for a file in `new URL` below.
 */
const script = import.meta.url;

/**
 * The path under which the page is mounted, without a trailing slash.
 *
 * Every script of the built page is in `<mount path>/assets/`, so its own address contains the
 * mount path. The page needs no setting from the server.
 */
export const MOUNT_PATH = new URL("..", script).pathname.replace(/\/$/, "");
