import type { DocPage } from "../../docs-snippets/pages.js";
import { shellBlocksOf } from "../../docs-snippets/shell-blocks.js";
import { type Snippet, snippetsOf } from "../../docs-snippets/snippets.js";

/** What a reader pastes from a page. */
export interface GuidePage {
  /** The path of the page, relative to the repository. */
  readonly path: string;
  /** The names of the packages in its lines with `npm install`. */
  readonly packages: readonly string[];
  readonly snippets: readonly Snippet[];
  /** Its blocks marked `sh run`, in the order of the page. */
  readonly commands: readonly string[];
}

/** The paths of the guides and README files that the step `guides` pastes. */
export const PASTED_PAGES = /^(?:docs\/guide\/[^/]+|packages\/[^/]+\/README|README)\.md$/u;

const INSTALL = /^npm install (.*)$/gmu;

/** Returns what a reader pastes from a page. */
export function guidePage(page: DocPage): GuidePage {
  const text = page.text.replaceAll("\\\n", " ");
  const lines = [...text.matchAll(INSTALL)].map(([, words = ""]) => words.split("#")[0] ?? "");
  const words = lines.flatMap((line) => line.split(/\s+/u));
  return {
    path: page.path,
    packages: [...new Set(words.filter((word) => /^[^-]/u.test(word)).map(withoutVersion))],
    snippets: snippetsOf(page),
    commands: shellBlocksOf(page)
      .filter(({ mark }) => mark === "run")
      .map(({ code }) => code),
  };
}

/** `typescript@5` becomes `typescript`. */
function withoutVersion(word: string): string {
  return word.replace(/(?<=.)@[^/]*$/u, "");
}
