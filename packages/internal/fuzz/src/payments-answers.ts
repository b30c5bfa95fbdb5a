import { defaultPolicy, type ServiceEvent } from "@tillkit/core";
import {
  ERROR_CATALOG,
  CODE_TRIES_REASONS,
  IDENTITY_RULES,
  PARAMETER_RULES,
  PAY_SOURCE_RULES,
  SMS_QUOTA_REASONS,
  WALLET_FAILURE_KINDS,
} from "@tillkit/core/errors";
import {
  failureResponse,
  type HttpReply,
  type HttpRequest,
  paymentsRoutes,
  type Route,
} from "@tillkit/core/http";
import { reportBroken } from "./fuzz-target.js";
import { documentedApi } from "./documented-api.js";

const DOCUMENTED = documentedApi();

/** The expectations about the responses of a service. */
export interface Expected {
  readonly statusMode: "always-200" | "standard";
  /** Texts that no response may contain. */
  readonly secrets: readonly string[];
  /** The events of the observer, which contain the cause of an unexpected failure. */
  readonly serviceEvents: readonly ServiceEvent[];
}

/** Checks the invariants of every response of the payments surface. Returns its code. */
export function codeOfAnswer(
  request: HttpRequest,
  reply: HttpReply<string>,
  { statusMode, secrets, serviceEvents }: Expected,
): number {
  const { "x-trace-id": traceId = "", "content-type": type, "cache-control": cache } = reply.headers;
  if (!/^[0-9a-f]{32}$/.test(traceId)) reportBroken("every answer has a trace id", reply.headers);
  if (type !== "application/json; charset=utf-8") reportBroken("every answer is JSON", reply.headers);
  if (cache !== "no-store") reportBroken("no response is cached", reply.headers);
  expectNoSecret(reply, secrets);
  const route = paymentsRoutes.find(
    (one) => one.method === request.method && one.match(request.path) !== undefined,
  );
  const json = jsonOf(reply.body);
  const refused = failureResponse().safeParse(json);
  if (!refused.success) {
    if (route === undefined) reportBroken("an unknown endpoint returns the failure envelope", reply.body);
    expectSuccess(route, json, reply);
    return 0;
  }
  const { code, msg } = refused.data;
  if (refused.data.traceId !== traceId) reportBroken("header and body have the same trace id", reply);
  const entry = Object.values(ERROR_CATALOG).find((one) => one.code === code);
  if (entry === undefined) reportBroken("every code is in the catalog", reply.body);
  if (![entry.message.en, entry.message.zh].some((template) => patternOf(template).test(msg)))
    reportBroken("msg is the catalog's text, and repeats no sent value", reply.body);
  const status = route !== undefined && statusMode === "always-200" ? 200 : entry.status;
  if (reply.status !== status) reportBroken(`code ${code} has the status ${status}`, reply);
  if (code === 99998) reportBroken("nothing fails while nothing is broken", causeIn(serviceEvents));
  const documented = route === undefined ? code === 10014 : isDocumented(route, code);
  if (!documented) reportBroken("an endpoint returns only the codes of its reference", reply.body);
  return code;
}

/** Returns the cause of the last request's failure. */
function causeIn(serviceEvents: readonly ServiceEvent[]): string {
  const last = serviceEvents.findLast((event) => event.type === "request.answered");
  return last?.cause instanceof Error ? (last.cause.stack ?? last.cause.message) : "unknown";
}

function expectSuccess({ path, response }: Route, json: unknown, reply: HttpReply<string>): void {
  if (reply.status !== 200) reportBroken("a success has the status 200", reply);
  if (!response(defaultPolicy).safeParse(json).success)
    reportBroken(`a success of ${path} matches its schema`, reply.body);
}

function isDocumented({ method, path }: Route, code: number): boolean {
  return DOCUMENTED.get(`${method} ${path}`)?.codes.has(code) ?? false;
}

/** Checks that a response contains no secret and no stack trace or path. */
export function expectNoSecret({ headers, body }: HttpReply<string>, secrets: readonly string[]): void {
  const all = body + JSON.stringify(headers);
  if (secrets.some((secret) => all.includes(secret))) reportBroken("no response contains a secret", all);
  if (/\bat (async )?[\w.<>]+ \(|node:internal|node_modules|\/packages\/|\bfile:\/\//.test(all))
    reportBroken("no response contains a stack trace or a path", all);
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return reportBroken("every answer is enveloped", text);
  }
}

const patterns = new Map<string, RegExp>();

/** Returns a pattern that matches a text of the catalog with its placeholders filled in. */
function patternOf(template: string): RegExp {
  const known = patterns.get(template);
  if (known !== undefined) return known;
  const parts = template.split(/(\{\w+\})/).map((part) => WORDS[part] ?? escaped(part));
  const pattern = new RegExp(`^${parts.join("")}$`);
  patterns.set(template, pattern);
  return pattern;
}

const documented = [...DOCUMENTED.values()].flatMap(({ parameters }) => parameters.map(({ name }) => name));
const names = anyOf([...new Set(documented), "body"]);
const textsOf = (table: Readonly<Record<string, { readonly en: string; readonly zh: string }>>) =>
  Object.values(table).flatMap(({ en, zh }) => [en, zh]);
const WORDS: Readonly<Record<string, string>> = {
  "{parameter}": names,
  "{reason}": anyOf([...textsOf(CODE_TRIES_REASONS), ...textsOf(SMS_QUOTA_REASONS)]),
  "{rule}": anyOf([...textsOf(PARAMETER_RULES), ...textsOf(IDENTITY_RULES), ...textsOf(PAY_SOURCE_RULES)]),
  "{fields}": `${names}(, ${names})*`,
  "{kind}": anyOf(textsOf(WALLET_FAILURE_KINDS)),
  "{tokens}": escaped([...defaultPolicy.sourceFromTokens, "others"].join(", ")),
  "{remaining}": "\\d+",
  "{amount}": "\\d+",
};

function anyOf(texts: readonly string[]): string {
  return `(${texts.map(escaped).join("|")})`;
}

function escaped(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
}
