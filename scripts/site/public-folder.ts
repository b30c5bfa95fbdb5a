import { root } from "@tillkit/repository";

/** The folder of the files that the site serves unchanged, with a trailing slash. */
export const publicFolder = `${root}node_modules/.cache/site-public/`;
