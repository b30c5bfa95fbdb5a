import type { Page } from "./pages.js";

/** A block of TypeScript in a page. */
export interface Snippet {
  /** The page, relative to the repository. */
  readonly page: string;
  /** The line of its opening fence, from 1. */
  readonly line: number;
  /** `run`: a whole program. `test`: a test file. `check`: only its types are checked. */
  readonly kind: "run" | "test" | "check";
  readonly code: string;
}

const KINDS = { "": "check", run: "run", test: "test" } as const;
const BLOCK = /^```ts(?:[ \t]+(\S+))?[ \t]*\n(.*?)^```[ \t]*$/gmsu;

/** The blocks fenced as `ts`, `ts run` and `ts test`. Any other word after `ts` is an error: a typo would switch a check off. */
export function snippetsOf({ path, text }: Page): readonly Snippet[] {
  return [...text.matchAll(BLOCK)].map(({ 1: word = "", 2: code = "", index }) => {
    const line = text.slice(0, index).split("\n").length;
    if (!isKind(word)) throw new Error(`${path}:${line}: unknown kind of block: ts ${word}`);
    return { page: path, line, kind: KINDS[word], code };
  });
}

/** A file name that says where the block is, such as `docs_guide_payments.12.ts`. */
export function fileNameOf({ page, line, kind }: Snippet): string {
  const name = page.replace(/\.md$/, "").replaceAll("/", "_");
  return `${name}.${line}${kind === "test" ? ".test" : ""}.ts`;
}

/** The block as a module of its own whose line numbers are those of the page. */
export function moduleOf({ line, code }: Snippet): string {
  return `${"\n".repeat(line)}${code}export {};\n`;
}

function isKind(word: string): word is keyof typeof KINDS {
  return Object.hasOwn(KINDS, word);
}
