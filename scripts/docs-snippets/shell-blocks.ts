import { blocksOf } from "../translations/blocks.js";
import type { DocPage } from "./pages.js";

/** The words after `sh` that say whether the block of a page is run, and why not. */
export const SHELL_MARKS = {
  run: "`npm run adoption -- --only guides` runs it in a folder with the packages of the page",
  step: "another step of `npm run adoption` runs it",
  data: "names orders, files or ids of the reader",
  server: "needs a server that the reader has or starts: a database, a host, a sandbox",
  account: "needs a real account of a wallet",
  clone: "runs in a clone of the repository",
} as const;

/** A shell block of a page. */
export interface ShellBlock {
  /** The line of its opening fence, from 1. */
  readonly line: number;
  /** `install`: it only installs packages, which `guides` does for the page. */
  readonly mark: keyof typeof SHELL_MARKS | "install";
  readonly code: string;
}

const SHELL = /^(?:sh|bash|shell|console)\b/u;
const INSTALL = /^npm (?:install|init) /u;

/** Returns the shell blocks of a page. Throws if one is not marked, or has an unknown mark. */
export function shellBlocksOf({ path, text }: DocPage): readonly ShellBlock[] {
  return blocksOf(text)
    .filter(({ language }) => SHELL.test(language))
    .map(({ language, line, code }) => {
      const [shell, ...marks] = language.split(/\s+/u);
      const mark = marks.join(" ");
      if (shell !== "sh") throw new Error(`${path}:${line}: write sh instead of ${shell ?? ""}`);
      if (isMark(mark)) return { line, mark, code };
      if (
        mark === "" &&
        code
          .replaceAll("\\\n", " ")
          .trim()
          .split("\n")
          .every((one) => INSTALL.test(one))
      )
        return { line, mark: "install", code };
      const known = Object.entries(SHELL_MARKS).map(([word, meaning]) => `  sh ${word}: ${meaning}`);
      throw new Error(
        [`${path}:${line}: this block needs a word after sh that says whether it is run:`, ...known].join(
          "\n",
        ),
      );
    });
}

function isMark(word: string): word is keyof typeof SHELL_MARKS {
  return Object.hasOwn(SHELL_MARKS, word);
}
