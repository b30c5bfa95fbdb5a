import { err, ok, type Result } from "neverthrow";
import { fail, type FailureOf } from "../errors/failure.js";
import type { HttpRequest } from "./request.js";

type Malformed = FailureOf<"request.malformed">;
/** Parameters as they were sent, by name, not yet checked. */
export type Parameters = Readonly<Record<string, unknown>>;

const decoder = new TextDecoder("utf-8", { fatal: true });

/** The pairs of a query string or form, decoded once, in order; a part that cannot be decoded is `undefined`. */
export function pairsOf(text: string): readonly (readonly [string | undefined, string | undefined])[] {
  const parts = text.split("&").filter((part) => part !== "");
  return parts.map((part) => {
    const mark = part.indexOf("=");
    if (mark < 0) return [decodePart(part), ""] as const;
    return [decodePart(part.slice(0, mark)), decodePart(part.slice(mark + 1))] as const;
  });
}

function decodePart(text: string): string | undefined {
  // Most parts are written as they are, and looking is cheaper than decoding.
  if (!/[%+]/.test(text)) return text;
  try {
    return decodeURIComponent(text.replaceAll("+", " "));
  } catch {
    return undefined;
  }
}

/** Parameters that may each stand once. */
function readScalars(text: string): Result<Parameters, Malformed> {
  const read = new Map<string, string>();
  for (const [name, value] of pairsOf(text)) {
    if (name === undefined || value === undefined || read.has(name)) return fail("request.malformed");
    read.set(name, value);
  }
  return ok(Object.fromEntries(read));
}

/** The query string's parameters. */
export function readQuery({ query }: Pick<HttpRequest, "query">): Result<Parameters, Malformed> {
  return readScalars(query);
}

/** The body as a JSON object. */
export function readJsonBody(
  request: HttpRequest,
): Result<Parameters, Malformed | FailureOf<"request.too-large">> {
  return readText(request).andThen(readJsonObject);
}

/** Parameters from wherever they stand: the query, a form, or a JSON object; each may stand once in all. */
export function readAnywhere(
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

/** The body's text, or why it is none. */
function readText({ body }: HttpRequest): Result<string, Malformed | FailureOf<"request.too-large">> {
  if (body === "too-large") return fail("request.too-large");
  try {
    return ok(decoder.decode(body));
  } catch {
    return fail("request.malformed");
  }
}

/**
 * A JSON object of which every member name stands once. A number with a fraction or an exponent becomes NaN: money is written in whole cents, and a text like
 * `1.00000000000000000001` would otherwise be read as 1.
 */
function readJsonObject(text: string): Result<Parameters, Malformed> {
  const value = parseJson(text);
  if (value.isErr() || !isObject(value.value)) return fail("request.malformed");
  const members = topLevelMembers(text);
  if (new Set(members.map(([name]) => name)).size !== members.length) return fail("request.malformed");
  const fractions = members.filter(([, source]) => /^-?\d/.test(source) && !/^-?\d+$/.test(source));
  return ok({ ...value.value, ...Object.fromEntries(fractions.map(([name]) => [name, Number.NaN])) });
}

/** The value of a JSON text. */
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

/** Name and source text of each scalar member of a valid JSON object, nested values as their opening bracket. */
function topLevelMembers(text: string): readonly (readonly [string, string])[] {
  const members: (readonly [string, string])[] = [];
  let depth = 0;
  let name: string | undefined;
  let previous = "";
  for (const [token] of text.matchAll(TOKEN)) {
    if (depth === 1 && token === ":") name = String(JSON.parse(previous));
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
