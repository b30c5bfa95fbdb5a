import { posix } from "node:path";
import { publicFiles } from "@tillkit/repository";

const publicFolders = publicFiles.replace("/blob/", "/tree/");

/** The folder of most pages, relative to the repository. In the site it is the root. */
const PAGES = "docs/";

/** The pages outside of {@link PAGES}, and the folders of packages, whose README is a page. */
const OTHER_PAGES = /^(?:README|CONTRIBUTING|SECURITY)\.md$|^packages\/(?!internal\/)[^/]+\/README\.md$/u;

/** The Markdown files of the repository that are no pages of the site, as patterns. */
export const NO_PAGES = [
  "bench/**",
  "examples/**",
  "scripts/**",
  "packages/*/!(README).md",
  "packages/*/*/**",
];

/**
 * Returns the file name of a page in the site. The README of a folder becomes its index.
 *
 * @param page - the page's path relative to the repository, such as `docs/guide/payments.md`.
 */
export function siteFileOf(page: string): string {
  // The site's home page is the README of the repository.
  if (page === `${PAGES}README.md`) return "contents.md";
  return page
    .replace(/^docs\//u, "")
    .replace(/(?<=^|\/)README\.md$/u, "index.md")
    .replace(/[A-Z]+(?=\.md$)/u, (name) => name.toLowerCase());
}

/**
 * Returns the page of the site that a path of the repository means: a page, or the README of a
 * folder. Returns `undefined` if it is no page.
 */
export function pageAt(path: string): string | undefined {
  if (OTHER_PAGES.test(path) || (path.startsWith(PAGES) && path.endsWith(".md"))) return path;
  const readme = `${path}/README.md`;
  const isPage = OTHER_PAGES.test(readme) || (path.startsWith(PAGES) && !isFile(path));
  return isPage ? readme : undefined;
}

/**
 * Returns the address that a link of a page gets in the site.
 *
 * A link to a page of the site becomes an address of the site, also if it is written as an address
 * on GitHub, for the readers of an npm package. A link to another file of the repository becomes an
 * address on GitHub. Other web addresses and anchors stay as they are.
 *
 * @param from - the path of the page relative to the repository.
 */
export function siteAddressOf(from: string, link: string): string {
  const onGitHub = [publicFiles, publicFolders].find((address) => link.startsWith(address));
  if (link.startsWith("#") || (/^[a-z]+:/u.test(link) && onGitHub === undefined)) return link;
  const [target = "", anchor] = link.slice(onGitHub?.length).split("#");
  const folder = onGitHub === undefined ? posix.dirname(from) : "";
  const path = posix.join(folder, target).replace(/\/$/u, "");
  const suffix = anchor === undefined ? "" : `#${anchor}`;
  const page = pageAt(path);
  if (page !== undefined) return `/${siteFileOf(page).replace(/(^|\/)index\.md$/u, "$1")}${suffix}`;
  return `${isFile(path) ? publicFiles : publicFolders}${path}${suffix}`;
}

function isFile(path: string): boolean {
  return posix.extname(path) !== "" || path === "LICENSE";
}
