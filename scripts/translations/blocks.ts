/** A fenced code block of a page. */
export interface Block {
  /** The text after the opening fence, such as `ts run`. */
  readonly language: string;
  readonly code: string;
  /** The line of the opening fence, from 1. */
  readonly line: number;
}

const BLOCK = /^[ \t]*```([^\n]*)\n(.*?)^[ \t]*```[ \t]*$/gmsu;

/** Returns the fenced code blocks of a page. */
export function blocksOf(text: string): readonly Block[] {
  return [...text.matchAll(BLOCK)].map(({ 1: language = "", 2: code = "", index }) => ({
    language: language.trim(),
    code,
    line: text.slice(0, index).split("\n").length,
  }));
}
