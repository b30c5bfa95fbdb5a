import type { DocPage } from "./pages.js";

/** A block of TypeScript in a page or in a doc comment. */
export interface Snippet {
  /** The page or the source, relative to the repository. */
  readonly page: string;
  /** The line of its opening fence, from 1. */
  readonly line: number;
  /** `run`: a whole program. `test`: a test file. `check`: only its types are checked. */
  readonly kind: "run" | "test" | "check";
  readonly code: string;
}

const KINDS = { "": "check", run: "run", test: "test" } as const;
const BLOCK = /^```ts(?:[ \t]+(\S+))?[ \t]*\n(.*?)^```[ \t]*$/gmsu;

/**
 * Returns the blocks fenced as `ts`, `ts run` and `ts test`.
 *
 * Throws on any other word after `ts`, because a typo would disable a check.
 */
export function snippetsOf({ path, text }: DocPage): readonly Snippet[] {
  return [...text.matchAll(BLOCK)].map(({ 1: word = "", 2: code = "", index }) => {
    const line = text.slice(0, index).split("\n").length;
    if (!isKind(word)) throw new Error(`${path}:${line}: unknown kind of block: ts ${word}`);
    return { page: path, line, kind: KINDS[word], code };
  });
}

/** Returns a file name that shows the place of the block, such as `docs_guide_payments.12.ts`. */
export function fileNameOf({ page, line, kind }: Snippet): string {
  const name = page.replace(/\.(?:md|ts)$/, "").replaceAll("/", "_");
  return `${name}.${line}${kind === "test" ? ".test" : ""}.ts`;
}

/** Returns the block as a separate module with the line numbers of the page. */
export function moduleOf({ line, code }: Snippet): string {
  return `${"\n".repeat(line)}${code}export {};\n`;
}

function isKind(word: string): word is keyof typeof KINDS {
  return Object.hasOwn(KINDS, word);
}
