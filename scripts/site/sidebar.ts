import { existsSync, readFileSync } from "node:fs";
import { root } from "@tillkit/repository";
import { PAGES, siteFileOf } from "./addresses.js";
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
  readonly pages: readonly { readonly title: string; readonly page: string }[];
}

const DECISIONS = "decisions/";

/** Returns the sections of `list` (`docs/README.md`). `decisions` lists the decision pages. */
export function sectionsOf(list: string, decisions: string): readonly Section[] {
  const [, ...parts] = list.split(/^\*\*(?=\w+\*\*)/mu);
  return parts.map((part) => {
    const name = /^\w+/u.exec(part)?.[0] ?? "";
    if (name !== "Decisions") return { name, pages: linksIn(part, "") };
    return { name, pages: linksIn(decisions, DECISIONS) };
  });
}

/** Returns the navigation of a locale. Without a translation, it links to the English page. */
export function sidebarOf(locale: Locale): SidebarSection[] {
  const read = (page: string) => readFileSync(`${root}${PAGES}${page}`, "utf8");
  return sectionsOf(read("README.md"), read("decisions/README.md")).map(({ name, pages }) => ({
    text: locale === "root" ? name : (SECTIONS_IN_CHINESE[name] ?? name),
    collapsed: name !== "Guides",
    items: pages.map(({ title, page }) => {
      if (locale === "root") return { text: title, link: addressOf(page) };
      const translated = `${locale}/${page}`;
      if (!existsSync(`${root}${PAGES}${translated}`)) {
        return { text: `${title}${IN_ENGLISH}`, link: addressOf(page) };
      }
      return { text: /^# (.+)$/mu.exec(read(translated))?.[1] ?? title, link: addressOf(translated) };
    }),
  }));
}

/** Returns the pages that a text links to, without pages outside the folder. */
function linksIn(text: string, folder: string) {
  return [...text.matchAll(/\[([^\]]+)\]\((?!\.\.|\w+:)([^)#]+\.md)\)/gu)].map(
    ([, title = "", page = ""]) => ({ title, page: folder + page }),
  );
}

function addressOf(page: string): string {
  return `/${siteFileOf(page)
    .replace(/(^|\/)index\.md$/u, "$1")
    .replace(/\.md$/u, ".html")}`;
}
