import type { Policy } from "@tillkit/core";
import { metricsRoutes, notificationRoutes, paymentsRoutes } from "@tillkit/core/http";
import { at } from "./json.js";

/** Texts with a meaning in SQL, JSON, arrays, patterns, logs, terminals, headers or JavaScript. */
export const HOSTILE_TEXTS = [
  "'; drop table orders; --",
  "' or '1'='1",
  "1); delete from apps where (1=1",
  "$1 $$ $tag$ :name ? %s \\x00",
  "\\'; select pg_sleep(60); --",
  "E'\\\\' || \"x\" /* */ --",
  '{a,"b",NULL}',
  "%_%",
  '{"a":{"$ne":null}}',
  '"}],"code":0,"data":{"x":"',
  "[[[[",
  "null",
  "undefined",
  "NaN",
  "-1e309",
  "2026-13-45",
  "__proto__",
  "constructor",
  "toString",
  "${process.env.HOME}",
  "<script>alert(1)</script>",
  "../../etc/passwd",
  "a\r\nset-cookie: x=1",
  'a\n{"level":"info"}',
  "\u001b[2J\u001b]0;x\u0007",
  "a\u0000b",
  "a\u2028b\u2029c\u0085d",
  "\u202egnp.exe",
  "\ud83d\ude00\u0301\ufeff\uffff",
  "İıſK",
  "x".repeat(10_000),
] as const;

/** A request with a hostile text in one place. */
export interface HostileRequest {
  readonly surface: "payments" | "metrics" | "notifications";
  readonly method: string;
  /** Path below the mount point of the surface, percent-encoded. */
  readonly path: string;
  /** Percent-encoded. */
  readonly query: string;
  /** Headers other than the credentials: names in lower case, values as sent. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  /** The parameters of the request, before they were encoded. */
  readonly values: Readonly<Record<string, unknown>>;
  /** The place and the hostile text. Absent in the first request of each endpoint. */
  readonly hostile?: { readonly place: string; readonly text: string };
  /** Endpoint, place and text, for messages. */
  readonly what: string;
}

/** A value for every parameter that an endpoint requires. */
const USUAL: Readonly<Record<string, unknown>> = {
  amount: 600,
  bizNo: "b-1",
  customerIdentity: "customer-1",
  goodsTitle: "Thirty days",
  payChannel: "WALLET_A",
  mobileNo: "13800138000",
  authCode: "000000",
  token: "customer-1.token",
  id: "client-1",
  start: "2026-01-13",
  end: "2026-01-15",
  payToolId: "01TESTPAYTOOL",
  orderRef: "Yi0x",
};

/**
 * Headers that contain a hostile text together.
 *
 * Each credential is tested on its own, because the service reads nothing after a wrong credential.
 */
const HEADERS = [
  [
    "accept-language",
    "content-type",
    "cookie",
    "origin",
    "referer",
    "user-agent",
    "x-forwarded-for",
    "x-request-id",
    "x-trace-id",
    "wechatpay-nonce",
    "wechatpay-serial",
    "wechatpay-signature",
    "wechatpay-timestamp",
  ],
  ["app_id"],
  ["app_secret"],
] as const;

interface Endpoint {
  readonly surface: HostileRequest["surface"];
  readonly method: string;
  readonly path: string;
  readonly from: "query" | "body" | "path";
  readonly parameters: readonly string[];
}

/**
 * Yields a valid request for every endpoint, and then one request per place and hostile text.
 *
 * The places are each parameter, each header and the whole body. `mark` is added to the end of each
 * text, so that a test can search for it.
 *
 * @returns the requests, one after the other.
 * @example
 * ```ts
 * import { hostileRequests } from "@tillkit/contract-tests";
 * import { paymentsSurface } from "@tillkit/core/http";
 *
 * const surface = paymentsSurface(ports);
 * for (const { surface: name, path, query, body, headers } of hostileRequests(ports.policy)) {
 *   if (name !== "payments") continue;
 *   console.log(path, query, body.length, Object.keys(headers), surface.owns("POST", path));
 * }
 * ```
 */
export function* hostileRequests(policy: Policy, mark = ""): Generator<HostileRequest> {
  let made = 0;
  for (const endpoint of endpointsOf(policy)) {
    yield requestTo(endpoint, usualFor(endpoint));
    for (const text of HOSTILE_TEXTS.map((one) => `${one}${mark}`)) {
      for (const place of endpoint.parameters) {
        made += 1;
        const usual = usualFor(endpoint);
        const fresh = "bizNo" in usual ? { bizNo: `b-${String(made)}` } : {};
        // Only a JSAPI order stores the `payerId`.
        const keeping = place === "payerId" ? { paySource: "JSAPI" } : {};
        yield requestTo(endpoint, { ...usual, ...fresh, ...keeping, [place]: text }, { place, text });
      }
      const { method } = endpoint;
      if (method === "POST")
        yield { ...requestTo(endpoint, usualFor(endpoint), { place: "body", text }), body: text };
    }
  }
  for (const endpoint of endpointsOf(policy).filter(isFirstOfItsSurface))
    for (const text of HOSTILE_TEXTS.map((one) => `${one}${mark}`))
      for (const names of HEADERS) {
        const headers = Object.fromEntries(names.map((name) => [name, headerOf(text)]));
        yield { ...requestTo(endpoint, usualFor(endpoint), { place: names.join(), text }), headers };
      }
}

function endpointsOf(policy: Policy): readonly Endpoint[] {
  return [
    ...paymentsRoutes.map(({ method, path, from, input }): Endpoint => {
      const shape = at(input(policy), "shape");
      const parameters = typeof shape === "object" && shape !== null ? Object.keys(shape) : [];
      return { surface: "payments", method, path, from: from === "anywhere" ? "body" : from, parameters };
    }),
    ...metricsRoutes.map(({ method, path }): Endpoint => {
      return { surface: "metrics", method, path, from: "query", parameters: ["id", "start", "end"] };
    }),
    ...notificationRoutes.map(({ method, path }): Endpoint => {
      const parameters = [...path.matchAll(/\{(\w+)\}/g)].map(([, name = ""]) => name);
      return { surface: "notifications", method, path, from: "path", parameters };
    }),
  ];
}

function isFirstOfItsSurface({ surface }: Endpoint, index: number, all: readonly Endpoint[]): boolean {
  return all.findIndex((one) => one.surface === surface) === index;
}

function usualFor({ parameters }: Endpoint): Readonly<Record<string, unknown>> {
  return Object.fromEntries(Object.entries(USUAL).filter(([name]) => parameters.includes(name)));
}

function requestTo(
  { surface, method, path, from }: Endpoint,
  values: Readonly<Record<string, unknown>>,
  hostile?: HostileRequest["hostile"],
): HostileRequest {
  const texts = Object.fromEntries(Object.entries(values).map(([name, value]) => [name, String(value)]));
  const what = `${method} ${path} ${hostile?.place ?? ""} ${JSON.stringify(hostile?.text.slice(0, 60) ?? "")}`;
  return {
    surface,
    method,
    path: path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(texts[name] ?? "")),
    query: from === "query" ? new URLSearchParams(texts).toString() : "",
    headers: {},
    body: from === "body" ? JSON.stringify(values) : "",
    values,
    ...(hostile === undefined ? {} : { hostile }),
    what,
  };
}

/**
 * Encodes a text as a header value: its UTF-8 bytes without those that HTTP forbids.
 *
 * The result is cut so that all headers together stay below the limit.
 */
function headerOf(text: string): string {
  const bytes = Buffer.from(text).toString("latin1").slice(-1_000);
  return bytes.replaceAll(/[^\x20-\x7e\x80-\xff]/g, "").trim();
}
