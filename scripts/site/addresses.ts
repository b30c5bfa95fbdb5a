import { posix } from "node:path";
import { publicFiles } from "@tillkit/repository";

const publicFolders = publicFiles.replace("/blob/", "/tree/");

/** The folder of the site's pages, relative to the repository. */
export const PAGES = "docs/";

/**
 * Returns the file name of a page in the site. The README of a folder becomes its index.
 *
 * @param page - the page's path relative to `docs`, such as `guide/payments.md`.
 */
export function siteFileOf(page: string): string {
  // The site's home page is the README of the repository, which `docs/index.md` includes.
  return page === "README.md" ? "contents.md" : page.replace(/(^|\/)README\.md$/u, "$1index.md");
}

/**
 * Returns the address of a picture in the page that the site makes of `from`.
 *
 * Only the README of the repository moves: it becomes a page in the folder of the pages.
 */
export function sitePictureOf(from: string, source: string): string {
  return from === "README.md" && source.startsWith(PAGES) ? `./${source.slice(PAGES.length)}` : source;
}

/**
 * Returns the address that a link of a page gets in the site.
 *
 * A link to a page of the site becomes an address of the site. A link to another file of the
 * repository becomes an address on GitHub. Web addresses and anchors stay as they are.
 *
 * @param from - the path of the page relative to the repository.
 */
export function siteAddressOf(from: string, link: string): string {
  if (link.startsWith("#") || /^[a-z]+:/u.test(link)) return link;
  const [target = "", anchor] = link.split("#");
  const path = posix.join(posix.dirname(from), target);
  const suffix = anchor === undefined ? "" : `#${anchor}`;
  if (path === "README.md") return `/${suffix}`;
  if (path.startsWith(PAGES) && path.endsWith(".md")) {
    return `/${siteFileOf(path.slice(PAGES.length)).replace(/(^|\/)index\.md$/u, "$1")}${suffix}`;
  }
  const isFile = posix.extname(path) !== "";
  if (path.startsWith(PAGES) && !isFile) return `/${path.slice(PAGES.length).replace(/\/?$/u, "/")}${suffix}`;
  return `${isFile ? publicFiles : publicFolders}${path.replace(/\/$/u, "")}${suffix}`;
}
