/**
 * Splits SQL into its statements, without the semicolons between them.
 *
 * Like `psql`, ignores semicolons in quoted texts and names, in comments and parentheses, and in
 * bodies of functions. Comments stay part of a statement, and a part that contains only comments is
 * dropped.
 */
export function splitStatements(sql: string): readonly string[] {
  const statements: string[] = [];
  let start = 0;
  let isEmpty = true;
  let depth = new Depth();
  for (let at = 0; at < sql.length;) {
    const { kind, end } = tokenAt(sql, at);
    if (kind === "semicolon" && depth.isOutside()) {
      if (!isEmpty) statements.push(sql.slice(start, at).trim());
      start = end;
      isEmpty = true;
      depth = new Depth();
    } else if (kind !== "comment" && kind !== "space") {
      isEmpty = false;
      depth.read(kind, sql.slice(at, end));
    }
    at = end;
  }
  if (!isEmpty) statements.push(sql.slice(start).trim());
  return statements;
}

/** Returns the first words of a statement in one line, for messages. */
export function firstWords(statement: string): string {
  let words = "";
  for (let at = 0; at < statement.length && words.length <= MAX_WORDS;) {
    const { kind, end } = tokenAt(statement, at);
    words += kind === "comment" || kind === "space" ? " " : statement.slice(at, end);
    at = end;
  }
  const line = words.replace(/\s+/g, " ").trim();
  return line.length <= MAX_WORDS ? line : `${line.slice(0, MAX_WORDS)}…`;
}

const MAX_WORDS = 60;

type TokenKind = "space" | "comment" | "semicolon" | "word" | "other";

interface Token {
  readonly kind: TokenKind;
  readonly end: number;
}

/** The tokens that a regular expression can read. The order of the entries matters. */
const TOKENS: readonly (readonly [TokenKind, RegExp])[] = [
  ["space", /\s+/y],
  ["comment", /--[^\n]*/y],
  // A text with backslash escapes. Its E would otherwise be read as a word.
  ["other", /e'(?:[^'\\]|\\[^]|'')*'/iy],
  // A doubled quote ends one token and begins the next. Two such tokens are still one statement.
  ["other", /'[^']*'/y],
  ["other", /"[^"]*"/y],
  // A dollar sign inside a word begins no dollar quote.
  ["word", /[a-z_\u0080-\uffff][\w$\u0080-\uffff]*/iy],
  ["other", /\d[\w.]*/y],
  ["semicolon", /;/y],
];

function tokenAt(sql: string, at: number): Token {
  if (sql.startsWith("/*", at)) return { kind: "comment", end: endOfBlockComment(sql, at) };
  for (const [kind, pattern] of TOKENS) {
    pattern.lastIndex = at;
    if (pattern.test(sql)) return { kind, end: pattern.lastIndex };
  }
  DOLLAR_QUOTE.lastIndex = at;
  const [quote] = DOLLAR_QUOTE.exec(sql) ?? [];
  if (quote !== undefined) return { kind: "other", end: endAfter(sql, quote, at + quote.length) };
  // An unterminated text extends to the end. The server reports it.
  return { kind: "other", end: /['"]/.test(sql.charAt(at)) ? sql.length : at + 1 };
}

const DOLLAR_QUOTE = /\$(?:[a-z_\u0080-\uffff][\w\u0080-\uffff]*)?\$/iy;

/** Returns the end of the block comment at `start`, which can contain other block comments. */
function endOfBlockComment(sql: string, start: number): number {
  const edge = /\/\*|\*\//g;
  edge.lastIndex = start;
  let depth = 0;
  for (let match = edge.exec(sql); match !== null; match = edge.exec(sql)) {
    depth += match[0] === "/*" ? 1 : -1;
    if (depth === 0) return edge.lastIndex;
  }
  return sql.length;
}

function endAfter(sql: string, part: string, from: number): number {
  const found = sql.indexOf(part, from);
  return found === -1 ? sql.length : found + part.length;
}

/** Tracks whether a position is inside parentheses or the body of a function. */
class Depth {
  #parentheses = 0;
  #blocks = 0;
  #words = 0;
  #head = "";

  isOutside(): boolean {
    return this.#parentheses <= 0 && this.#blocks === 0;
  }

  read(kind: TokenKind, token: string): void {
    if (token === "(") this.#parentheses += 1;
    if (token === ")") this.#parentheses -= 1;
    if (kind !== "word") return;
    const word = token.toLowerCase();
    if (this.#words < 4) this.#head += ` ${word}`;
    this.#words += 1;
    // The body of a function can be `begin atomic …; …; end`.
    if (this.#parentheses > 0 || !/^ create (or replace )?(function|procedure)\b/.test(this.#head)) return;
    if (word === "begin" || (word === "case" && this.#blocks > 0)) this.#blocks += 1;
    if (word === "end" && this.#blocks > 0) this.#blocks -= 1;
  }
}
