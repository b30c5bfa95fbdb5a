import { fileURLToPath } from "node:url";
import { type PageFiles, readPageFiles } from "./serve-page/page-files.js";

/** Where `npm run page` puts the page. */
const FOLDER = "../node_modules/.page";

/**
 * Reads the files of the page. Returns `undefined` if it has not been built.
 *
 * Only hosts that run from the sources use this module. The build of the package replaces it by a
 * module that contains the files, so that a bundled host needs no file beside the bundle.
 */
export async function readBuiltPage(): Promise<PageFiles | undefined> {
  return readPageFiles(fileURLToPath(new URL(FOLDER, import.meta.url)));
}
