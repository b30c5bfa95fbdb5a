import { existsSync, readFileSync } from "node:fs";
import { posix } from "node:path";
import { root } from "@tillkit/repository";
import { translationOf } from "../translations/problems.js";
import { pageAt, siteFileOf } from "./addresses.js";
import { IN_ENGLISH, type Locale, SECTIONS_IN_CHINESE } from "./texts.js";

/** A link of the navigation. */
export interface SidebarLink {
  readonly text: string;
  readonly link: string;
}

/** A group of links of the navigation. */
export interface SidebarSection {
  readonly text: string;
  readonly collapsed: boolean;
  readonly items: SidebarLink[];
}

/** A section of `docs/README.md` with the pages that it links to. */
interface Section {
  readonly name: string;
  /** Their paths are relative to the repository. */
  readonly pages: readonly { readonly title: string; readonly page: string }[];
}

/** The page whose links make the navigation. */
const LIST = "docs/README.md";
/** The sections whose list is in another page: the whole page, or its part with that heading. */
const LISTS: Readonly<Record<string, string>> = {
  Packages: "README.md",
  Decisions: "docs/decisions/README.md",
};

/**
 * Returns the sections of the list of the documentation.
 *
 * @param read - returns the text of a page.
 */
export function sectionsOf(read: (page: string) => string): readonly Section[] {
  const [, ...parts] = read(LIST).split(/^\*\*(?=\w+\*\*)/mu);
  return parts.map((part) => {
    const name = /^\w+/u.exec(part)?.[0] ?? "";
    const list = LISTS[name];
    return {
      name,
      pages: list === undefined ? linksIn(part, LIST) : linksIn(partOf(read(list), name), list),
    };
  });
}

/** Returns the navigation of a locale. Without a translation, it links to the English page. */
export function sidebarOf(locale: Locale): SidebarSection[] {
  const read = (page: string) => readFileSync(root + page, "utf8");
  return sectionsOf(read).map(({ name, pages }) => ({
    text: locale === "root" ? name : (SECTIONS_IN_CHINESE[name] ?? name),
    collapsed: name !== "Guides",
    items: pages.map(({ title, page }) => {
      if (locale === "root") return { text: title, link: addressOf(page) };
      const translated = translationOf(page);
      if (!existsSync(root + translated)) {
        return { text: `${title}${IN_ENGLISH}`, link: addressOf(page) };
      }
      return { text: /^# (.+)$/mu.exec(read(translated))?.[1] ?? title, link: addressOf(translated) };
    }),
  }));
}

/** Returns the part of a page below the heading `name`, or the page if it has no such heading. */
function partOf(text: string, name: string): string {
  return text.split(`\n## ${name}\n`)[1]?.split("\n## ")[0] ?? text;
}

/** Returns the pages that a part of the page `from` links to, without links to single headings. */
function linksIn(text: string, from: string) {
  return [...text.matchAll(/\[`?([^\]`]+)`?\]\((?!\w+:)([^)#]+)\)/gu)].flatMap(
    ([, title = "", target = ""]) => {
      const page = pageAt(posix.join(posix.dirname(from), target));
      return page === undefined ? [] : [{ title, page }];
    },
  );
}

function addressOf(page: string): string {
  return `/${siteFileOf(page)
    .replace(/(^|\/)index\.md$/u, "$1")
    .replace(/\.md$/u, ".html")}`;
}
