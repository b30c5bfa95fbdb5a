import { parseInput, type Policy } from "@tillkit/core";
import { failureMessage } from "@tillkit/core/errors";
import { parseStrictJson } from "@tillkit/core/text";
import { err, ok, type Result } from "neverthrow";
import type { z } from "zod";
import type { Input } from "./input-file.js";

const BATCH = 500;
/** The maximum length of a line in bytes. A longer line is reported and not kept in memory. */
export const LONGEST_LINE = 4 * 1024 * 1024;
/** How many unknown members the problem of a line names, and how many characters of each. */
const NAMED = 3;
const NAME_LENGTH = 40;
const LINE_FEED = 10;
const NO_OBJECT = "the line is not a JSON object";

/** A line of a file: its record, or what is wrong with it. A problem never contains a value. */
export type JsonLine<T> = { readonly line: number } & Content<T>;

type Content<T> = { readonly record: T } | { readonly problem: string };

/** Reads a file with one JSON object per line, in batches. Skips empty lines. */
export async function* jsonLines<S extends z.ZodObject>(
  { stream }: Input,
  schemaOf: (policy: Policy) => S,
  policy: Policy,
): AsyncGenerator<readonly JsonLine<z.output<S>>[]> {
  const schema = schemaOf(policy);
  let batch: JsonLine<z.output<S>>[] = [];
  let line = 0;
  for await (const bytes of linesOf(stream)) {
    line += 1;
    const content = contentOf(bytes, schema);
    if (content === undefined) continue;
    batch.push({ line, ...content });
    if (batch.length < BATCH) continue;
    yield batch;
    batch = [];
  }
  if (batch.length > 0) yield batch;
}

/** Yields the bytes of each line, or `undefined` for a line that is too long. */
async function* linesOf(stream: AsyncIterable<unknown>): AsyncGenerator<Buffer | undefined> {
  let parts: Buffer[] = [];
  let length = 0;
  const take = (): Buffer | undefined => {
    const line = length > LONGEST_LINE ? undefined : Buffer.concat(parts);
    parts = [];
    length = 0;
    return line;
  };
  const add = (part: Buffer): void => {
    length += part.length;
    if (length <= LONGEST_LINE) parts.push(part);
    else parts = [];
  };
  for await (const chunk of stream) {
    const bytes = chunk instanceof Uint8Array ? Buffer.from(chunk) : Buffer.from(String(chunk), "utf8");
    let from = 0;
    for (let end = bytes.indexOf(LINE_FEED); end >= 0; end = bytes.indexOf(LINE_FEED, from)) {
      add(bytes.subarray(from, end));
      yield take();
      from = end + 1;
    }
    add(bytes.subarray(from));
  }
  if (length > 0) yield take();
}

function contentOf<S extends z.ZodObject>(
  bytes: Buffer | undefined,
  schema: S,
): Content<z.output<S>> | undefined {
  if (bytes === undefined) return { problem: `the line is longer than ${LONGEST_LINE} bytes` };
  const text = decoded(bytes);
  if (text === undefined) return { problem: "the line is not UTF-8" };
  if (text.trim() === "") return undefined;
  const json = parseObject(text);
  if (json.isErr()) return { problem: json.error };
  // A misspelt optional member, such as the refunded amount, must not be ignored.
  const unknown = Object.keys(json.value).filter((name) => !Object.hasOwn(schema.shape, name));
  if (unknown.length > 0) return { problem: `unknown members: ${namesOf(unknown)}` };
  return parseInput(schema, json.value).match<Content<z.output<S>>>(
    (record) => ({ record }),
    (failure) => ({ problem: failureMessage(failure, "en") }),
  );
}

function namesOf(names: readonly string[]): string {
  const shown = names.slice(0, NAMED).map((name) => [...name].slice(0, NAME_LENGTH).join(""));
  const more = names.length > NAMED ? [`and ${names.length - NAMED} more`] : [];
  return [...shown, ...more].join(", ");
}

function decoded(bytes: Buffer): string | undefined {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

/** Parses the object of a line. Fails with what is wrong with the line. */
function parseObject(text: string): Result<Readonly<Record<string, unknown>>, string> {
  return parseStrictJson(text)
    .mapErr((problems) => {
      const repeated = problems.flatMap(({ member }) => member ?? []);
      return repeated.length === 0 ? NO_OBJECT : `members that occur twice: ${namesOf(repeated)}`;
    })
    .andThen((json) => (isObject(json) ? ok(json) : err(NO_OBJECT)));
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
