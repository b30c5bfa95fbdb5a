import { headersIn, type HttpRequest, type Route } from "@tillkit/core/http";
import fc from "fast-check";
import { type ByteChange, byteChanges, changedBytes } from "./byte-changes.js";
import { hostileBytes, hostileJson, HOSTILE_NAMES, hostileText } from "./hostile.js";

/**
 * A request as a binding passes it on, with its raw header lines.
 *
 * The lines may contain texts that `Headers` does not accept.
 */
export interface SpelledRequest extends HttpRequest {
  readonly lines: Readonly<Record<string, string>>;
}

/** A request before it is written. `members` are names with JSON texts, in order. */
export interface Draft {
  readonly method: string;
  readonly path: string;
  readonly from: Route["from"];
  readonly members: readonly (readonly [name: string, json: string])[];
  readonly headers: Readonly<Record<string, string>>;
  /** An addition to the query string. */
  readonly query: string;
  /** Whether the members are sent as a form instead of JSON. */
  readonly form: boolean;
  /** The body that replaces the members. */
  readonly body?: Uint8Array;
  readonly changes: readonly ByteChange[];
}

/** One change of a request. */
export type Change =
  | { readonly kind: "method"; readonly method: string }
  | { readonly kind: "path"; readonly put: string; readonly at: "instead" | "after" | "before" | "encoded" }
  | { readonly kind: "header"; readonly name: string; readonly value: string }
  | { readonly kind: "without"; readonly name: string }
  | { readonly kind: "member"; readonly name: string; readonly json: string; readonly more: boolean }
  | { readonly kind: "query"; readonly text: string }
  | { readonly kind: "form" }
  | { readonly kind: "body"; readonly body: Uint8Array }
  | { readonly kind: "bytes"; readonly changes: readonly ByteChange[] };

const METHODS = ["GET", "POST", "PUT", "HEAD", "OPTIONS", "DELETE", "PATCH", "get", "M-SEARCH", ""];
const HEADERS = [
  "app_id",
  "app_secret",
  "content-type",
  "content-encoding",
  "content-length",
  "transfer-encoding",
  "accept-language",
  "x-trace-id",
  "host",
  "x-forwarded-for",
  "cookie",
  "__proto__",
];
const HEADER_VALUES = [
  "",
  "application/json",
  "application/json; charset=utf-16",
  "application/json; charset=gbk",
  "application/x-www-form-urlencoded",
  "application/x-www-form-urlencoded-not",
  "multipart/form-data; boundary=x",
  "text/plain",
  "gzip",
  "br, gzip",
  "identity",
  "chunked",
  "zh",
  "zh-CN,zh;q=0.9",
  "  zh",
  "en;q=NaN",
  "a".repeat(9_000),
];
const PATHS = [
  "/",
  "//",
  "/.",
  "/..",
  "/%2e%2e",
  "/%00",
  "/%zz",
  "/%C0%AF",
  ".json",
  ".JSON",
  "?",
  "#",
  ";a=1",
  "/a/b",
];

/** Generates a change of a request whose parameters have these names. */
export function changesOf(names: readonly string[]): fc.Arbitrary<Change> {
  const name = fc.oneof(
    ...(names.length === 0 ? [] : [{ weight: 3, arbitrary: fc.constantFrom(...names) }]),
    { weight: 1, arbitrary: fc.constantFrom(...HOSTILE_NAMES) },
  );
  return fc.oneof(
    {
      weight: 6,
      arbitrary: fc.record({ kind: fc.constant("member"), name, json: hostileJson, more: fc.boolean() }),
    },
    { weight: 1, arbitrary: fc.record({ kind: fc.constant("without"), name }) },
    { weight: 1, arbitrary: fc.record({ kind: fc.constant("method"), method: fc.constantFrom(...METHODS) }) },
    {
      weight: 2,
      arbitrary: fc.record({
        kind: fc.constant("path"),
        put: fc.oneof(fc.constantFrom(...PATHS), hostileText),
        at: fc.constantFrom("instead", "after", "before", "encoded"),
      }),
    },
    {
      weight: 2,
      arbitrary: fc.record({
        kind: fc.constant("header"),
        name: fc.constantFrom(...HEADERS),
        value: fc.oneof(fc.constantFrom(...HEADER_VALUES), hostileText),
      }),
    },
    {
      weight: 2,
      arbitrary: fc.record({
        kind: fc.constant("query"),
        text: fc.oneof(hostileText, fc.constantFrom("&", "=", "&&==", "a", "%", "a=%ff", "=&__proto__=1")),
      }),
    },
    { weight: 1, arbitrary: fc.record({ kind: fc.constant("form") }) },
    {
      weight: 1,
      arbitrary: fc.record({
        kind: fc.constant("body"),
        body: fc.oneof(
          hostileBytes,
          hostileJson.map((json) => new Uint8Array(Buffer.from(json))),
        ),
      }),
    },
    { weight: 2, arbitrary: fc.record({ kind: fc.constant("bytes"), changes: byteChanges }) },
  );
}

/** Returns the draft after a change. */
export function changed(draft: Draft, change: Change): Draft {
  switch (change.kind) {
    case "method":
      return { ...draft, method: change.method };
    case "path":
      return { ...draft, path: changedPath(draft.path, change) };
    case "header":
      return { ...draft, headers: { ...draft.headers, [change.name]: change.value } };
    case "without":
      return { ...draft, members: draft.members.filter(([name]) => name !== change.name) };
    case "member": {
      const others = change.more ? draft.members : draft.members.filter(([name]) => name !== change.name);
      return { ...draft, members: [...others, [change.name, change.json]] };
    }
    case "query":
      return { ...draft, query: draft.query + change.text };
    case "form":
      return { ...draft, form: true };
    case "body":
      return { ...draft, body: change.body };
    case "bytes":
      return { ...draft, changes: [...draft.changes, ...change.changes] };
  }
}

function changedPath(path: string, { put, at }: Extract<Change, { kind: "path" }>): string {
  switch (at) {
    case "instead":
      return `/${put}`;
    case "after":
      return path + put;
    case "before":
      return `/${put}${path}`;
    case "encoded":
      return path.replace(/[a-z]/, (letter) => `%${letter.charCodeAt(0).toString(16)}`);
  }
}

/** Creates the request of a draft. */
export function requestOf(draft: Draft, maxRequestBytes: number): SpelledRequest {
  const inPath = /\{(\w+)\}/.exec(draft.path)?.[1];
  const inside = draft.members.filter(([name]) => name === inPath);
  const outside = draft.members.filter(([name]) => name !== inPath);
  const asQuery = draft.from === "query" || draft.from === "path";
  const query = [asQuery ? formOf(outside) : "", draft.query].filter((part) => part !== "").join("&");
  const whole = draft.body ?? Buffer.from(asQuery ? "" : draft.form ? formOf(outside) : jsonOf(outside));
  const body = changedBytes(new Uint8Array(whole), draft.changes);
  const type = draft.form ? "application/x-www-form-urlencoded" : "application/json";
  const lines = { ...(asQuery ? {} : { "content-type": type }), ...draft.headers };
  return {
    method: draft.method,
    path: draft.path.replace(/\{\w+\}/, () => percent(textOf(inside[0]?.[1] ?? ""))),
    query,
    headers: headersIn(lines),
    lines,
    body: body.length > maxRequestBytes ? "too-large" : body,
  };
}

function jsonOf(members: Draft["members"]): string {
  return `{${members.map(([name, json]) => `${JSON.stringify(name)}:${json}`).join(",")}}`;
}

function formOf(members: Draft["members"]): string {
  return members.map(([name, json]) => `${percent(name)}=${percent(textOf(json))}`).join("&");
}

/** Converts a JSON text to the value that a query or a form contains. */
export function textOf(json: string): string {
  return json.startsWith('"') && json.endsWith('"') && json.length > 1 ? unquoted(json) : json;
}

function unquoted(json: string): string {
  try {
    return String(JSON.parse(json));
  } catch {
    return json;
  }
}

/** Percent-encodes a text. An unpaired surrogate becomes three bytes that UTF-8 does not allow. */
export function percent(text: string): string {
  return [...text].map((one) => (one.isWellFormed() ? encodeURIComponent(one) : "%ED%A0%80")).join("");
}

/** Formats a request for a person who wants to repeat it. */
export function describeRequest(request: SpelledRequest): string {
  const { method, path, query, lines, body } = request;
  const head = Object.entries(lines).map(([name, value]) => `${name}: ${visible(value)}`);
  const sent =
    body === "too-large" ? "(a body that is too large)" : visible(Buffer.from(body).toString("latin1"));
  return [`${method} ${visible(path)}${query === "" ? "" : `?${visible(query)}`}`, ...head, "", sent].join(
    "\n  ",
  );
}

/** Escapes invisible characters and shortens a long text in its middle. */
export function visible(text: string): string {
  const escaped = text.replace(
    /[^\x20-\x7e]/g,
    (one) => `\\u${one.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
  return escaped.length > 1_200
    ? `${escaped.slice(0, 600)} … (${escaped.length - 1_000} more) … ${escaped.slice(-400)}`
    : escaped;
}
