import { err, ok, type Result } from "neverthrow";
import { fail, type FailureOf } from "../errors/failure.js";
import type { HttpRequest } from "./request.js";

type Malformed = FailureOf<"request.malformed">;
/** Parameters by name, as the caller sent them, not yet validated. */
export type Parameters = Readonly<Record<string, unknown>>;

const decoder = new TextDecoder("utf-8", { fatal: true });

/**
 * Returns the pairs of a query string or form in order, decoded once.
 *
 * A name or value that cannot be decoded is `undefined`.
 */
export function pairsOf(text: string): readonly (readonly [string | undefined, string | undefined])[] {
  const pairs: (readonly [string | undefined, string | undefined])[] = [];
  for (const part of text.split("&")) {
    if (part === "") continue;
    const mark = part.indexOf("=");
    const name = mark < 0 ? part : part.slice(0, mark);
    pairs.push([decodePart(name), mark < 0 ? "" : decodePart(part.slice(mark + 1))]);
  }
  return pairs;
}

function decodePart(text: string): string | undefined {
  // Most parts need no decoding, and the search is cheaper than decoding.
  if (!text.includes("%") && !text.includes("+")) return text;
  try {
    return decodeURIComponent(text.replaceAll("+", " "));
  } catch {
    return undefined;
  }
}

/** Reads parameters, each of which may occur at most once. */
function readScalars(text: string): Result<Parameters, Malformed> {
  const values: Record<string, string> = {};
  for (const [name, value] of pairsOf(text)) {
    if (name === undefined || value === undefined || Object.hasOwn(values, name))
      return fail("request.malformed");
    // An assignment to this name would not create a member.
    if (name === "__proto__") Object.defineProperty(values, name, { value, enumerable: true });
    else values[name] = value;
  }
  return ok(values);
}

/**
 * Reads the parameters of the query string.
 *
 * @returns the parameters. Fails with `request.malformed` if one occurs twice or cannot be decoded.
 * @example
 * ```ts
 * import { readQuery } from "@tillkit/core/http";
 *
 * const parameters = readQuery({ query: "limit=20&status=PAID" });
 * ```
 */
export function readQuery({ query }: Pick<HttpRequest, "query">): Result<Parameters, Malformed> {
  return readScalars(query);
}

/**
 * Reads the body as a JSON object whose member names are unique.
 *
 * @returns the members. Fails with `request.malformed` or `request.too-large`.
 * @example
 * ```ts
 * import { type HttpRequest, readJsonBody } from "@tillkit/core/http";
 *
 * declare const request: HttpRequest;
 *
 * const parameters = readJsonBody(request);
 * ```
 */
export function readJsonBody(
  request: HttpRequest,
): Result<Parameters, Malformed | FailureOf<"request.too-large">> {
  return readText(request).andThen(readJsonObject);
}

/**
 * Reads parameters from the query and from the body, which is a form or a JSON object.
 *
 * Fails if a parameter occurs more than once, for example in the query and in the body.
 */
export function readAnyParameters(
  request: HttpRequest,
): Result<Parameters, Malformed | FailureOf<"request.too-large">> {
  return readText(request).andThen((text) => {
    const form = /^application\/x-www-form-urlencoded\b/i.test(request.headers.get("content-type") ?? "");
    return readMembers(text, form).andThen((inBody) =>
      readQuery(request).andThen((inQuery) =>
        Object.keys(inQuery).some((name) => Object.hasOwn(inBody, name))
          ? fail("request.malformed")
          : ok({ ...inBody, ...inQuery }),
      ),
    );
  });
}

function readMembers(text: string, form: boolean): Result<Parameters, Malformed> {
  if (text === "") return ok({});
  return form ? readScalars(text) : readJsonObject(text);
}

/** Decodes the body as UTF-8. */
function readText({ body }: HttpRequest): Result<string, Malformed | FailureOf<"request.too-large">> {
  if (body === "too-large") return fail("request.too-large");
  try {
    return ok(decoder.decode(body));
  } catch {
    return fail("request.malformed");
  }
}

/**
 * Reads a JSON object whose member names are unique.
 *
 * A member that is a number with a fraction or an exponent becomes NaN. Amounts are whole cents,
 * and `JSON.parse` would read a text like `1.00000000000000000001` as 1.
 */
function readJsonObject(text: string): Result<Parameters, Malformed> {
  const value = parseJson(text);
  if (value.isErr() || !isObject(value.value)) return fail("request.malformed");
  const members = topLevelMembers(text);
  if (Object.keys(value.value).length !== members.length) return fail("request.malformed");
  const fractions = members.filter(([, source]) => /^-?\d/.test(source) && !/^-?\d+$/.test(source));
  if (fractions.length === 0) return ok(value.value);
  const notWhole = fractions.map(([name]) => [String(JSON.parse(name)), Number.NaN]);
  return ok({ ...value.value, ...Object.fromEntries(notWhole) });
}

/** Parses a JSON text. */
export function parseJson(text: string): Result<unknown, Malformed> {
  try {
    return ok(JSON.parse(text));
  } catch {
    return err({ name: "request.malformed" });
  }
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

const TOKEN = /"(?:[^"\\]|\\.)*"|[{}[\],:]|[^\s{}[\],:"]+/gsu;

/**
 * Returns the source texts of the name and the value of each member of a valid JSON object.
 *
 * For a nested value, it returns only the opening bracket.
 */
function topLevelMembers(text: string): readonly (readonly [string, string])[] {
  const members: (readonly [string, string])[] = [];
  let depth = 0;
  let name: string | undefined;
  let previous = "";
  for (const token of text.match(TOKEN) ?? []) {
    if (depth === 1 && token === ":") name = previous;
    else if (depth === 1 && name !== undefined) {
      members.push([name, token]);
      name = undefined;
    }
    if (token === "{" || token === "[") depth += 1;
    if (token === "}" || token === "]") depth -= 1;
    previous = token;
  }
  return members;
}
