import { err, ok, type Result } from "neverthrow";
import { formatJsonPath } from "./json-path.js";
import { visibleLine } from "./escape-unseen-characters.js";

/** A mistake in a JSON text. It contains no value of the text. */
export interface JsonProblem {
  /** The line of the mistake, counted from 1. */
  readonly line: number;
  /** The column of the mistake in UTF-16 units, counted from 1. */
  readonly column: number;
  /** The member that occurs twice, such as `peppers[0].key`. Absent if the text is not JSON. */
  readonly member?: string;
}

/** The maximum number of repeated members in a result. */
const MOST_PROBLEMS = 20;

/**
 * Parses a JSON text that a person wrote: every object must have unique member names.
 *
 * `JSON.parse` silently drops all but the last of two equal members, and its messages quote the
 * text, which may contain secrets.
 *
 * @returns the value. Fails with the place of the first mistake if the text is not JSON, or with up
 *   to 20 members that occur twice, at any depth.
 * @example
 * ```ts
 * import { jsonProblemText, parseStrictJson } from "@tillkit/core/text";
 *
 * const parsed = parseStrictJson('{ "smsPerDay": 5, "smsPerDay": 9 }');
 * if (parsed.isErr()) console.error(parsed.error.map(jsonProblemText));
 * ```
 */
export function parseStrictJson(text: string): Result<unknown, readonly JsonProblem[]> {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return err([placeOf(text, scan(text).wrongAt ?? text.length)]);
  }
  const { repeated } = scan(text);
  if (repeated.size === 0) return ok(value);
  return err([...repeated].map(([member, at]) => ({ ...placeOf(text, at), member })));
}

/**
 * Describes a mistake in a JSON text in a few words.
 *
 * @returns a part of a sentence, such as `smsPerDay occurs twice (line 1, column 19)`.
 * @example
 * ```ts
 * import { jsonProblemText } from "@tillkit/core/text";
 *
 * jsonProblemText({ line: 2, column: 3 }); // "the text is not JSON (line 2, column 3)"
 * ```
 */
export function jsonProblemText({ line, column, member }: JsonProblem): string {
  const what = member === undefined ? "the text is not JSON" : `${member || '""'} occurs twice`;
  return `${what} (line ${line}, column ${column})`;
}

function placeOf(text: string, at: number): JsonProblem {
  const before = text.slice(0, at);
  return { line: before.split("\n").length, column: at - before.lastIndexOf("\n") };
}

/** What the grammar of JSON allows next. */
type Next = "value" | "value or ]" | "name" | "name or }" | ":" | ", or end" | "nothing";

/** An open object with the names of its members, or an open array. */
interface Open {
  readonly names?: Set<string>;
  /** The name of the current member, or the index of the current item. */
  step: string | number;
}

interface Scanned {
  /** The members that occur twice, with the place of the second. */
  readonly repeated: ReadonlyMap<string, number>;
  /** Where the text breaks the grammar of JSON. */
  readonly wrongAt?: number;
}

const SPACE = /[ \t\n\r]*/y;
const WORD = /true|false|null|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
const ESCAPE = /\\(?:["\\/bfnrt]|u[\da-fA-F]{4})/y;

/** Reads a text token by token, without recursion, so that its depth has no limit. */
function scan(text: string): Scanned {
  const open: Open[] = [];
  const counts = new Map<string, number>();
  let next: Next = "value";
  let at = endOf(SPACE, text, 0) ?? 0;
  while (at < text.length) {
    const inside = open.at(-1);
    const char = text[at] ?? "";
    let end: number | undefined = at + 1;
    if (char === '"' && (next === "name" || next === "name or }")) {
      end = endOfString(text, at);
      if (end === undefined || inside === undefined) return { repeated: counts, wrongAt: at };
      inside.step = String(JSON.parse(text.slice(at, end)));
      if (inside.names?.has(inside.step) === true && counts.size < MOST_PROBLEMS) {
        const member = visibleLine(formatJsonPath(open.map(({ step }) => step)));
        if (!counts.has(member)) counts.set(member, at);
      }
      inside.names?.add(inside.step);
      next = ":";
    } else if (char === ":" && next === ":") next = "value";
    else if (char === "," && next === ", or end" && inside !== undefined) {
      if (typeof inside.step === "number") inside.step += 1;
      next = inside.names === undefined ? "value" : "name";
    } else if (closes(char, next, inside)) {
      open.pop();
      next = open.length === 0 ? "nothing" : ", or end";
    } else if (next !== "value" && next !== "value or ]") return { repeated: counts, wrongAt: at };
    else if (char === "{") {
      open.push({ names: new Set(), step: "" });
      next = "name or }";
    } else if (char === "[") {
      open.push({ step: 0 });
      next = "value or ]";
    } else {
      end = char === '"' ? endOfString(text, at) : endOf(WORD, text, at);
      if (end === undefined) return { repeated: counts, wrongAt: at };
      next = open.length === 0 ? "nothing" : ", or end";
    }
    at = endOf(SPACE, text, end) ?? end;
  }
  return next === "nothing" ? { repeated: counts } : { repeated: counts, wrongAt: text.length };
}

function closes(char: string, next: Next, inside: Open | undefined): boolean {
  if (inside === undefined) return false;
  return inside.names === undefined
    ? char === "]" && (next === "value or ]" || next === ", or end")
    : char === "}" && (next === "name or }" || next === ", or end");
}

/** Returns the place after a match of `pattern` at `at`, or `undefined` if there is none. */
function endOf(pattern: RegExp, text: string, at: number): number | undefined {
  pattern.lastIndex = at;
  return pattern.test(text) ? pattern.lastIndex : undefined;
}

/** Returns the place after a string that begins at `at`, or `undefined` if it is not valid. */
function endOfString(text: string, at: number): number | undefined {
  let place = at + 1;
  while (place < text.length) {
    const char = text[place] ?? "";
    if (char === '"') return place + 1;
    if (char < " ") return undefined;
    const end = char === "\\" ? endOf(ESCAPE, text, place) : place + 1;
    if (end === undefined) return undefined;
    place = end;
  }
  return undefined;
}
