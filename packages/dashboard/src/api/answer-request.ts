import { newTraceId, reportMisconfigured } from "@tillkit/core";
import {
  type HttpReply,
  type HttpRequest,
  jsonReply,
  languageOf,
  type Parameters,
  readJsonBody,
  readQuery,
} from "@tillkit/core/http";
import { seesApp } from "@tillkit/core/operators";
import { GRANT_ORIGINS } from "@tillkit/core/ports";
import type { Identified } from "../access/access.js";
import { isFromOtherSite, isSameOrigin } from "../access/is-same-origin.js";
import { type ApiFailure, messageOf, statusOf } from "./api-failure.js";
import { csrfRefusal } from "./csrf-refusal.js";
import { failureFactsOf } from "./failure-body.js";
import type { PathParameters } from "./path-matcher.js";
import { recordRefusal } from "./record-refusal.js";
import { rightsRefusal } from "./rights-refusal.js";
import type { OperatorRoute, Streamed } from "./route.js";
import type { RouteContext } from "./route-context.js";

/** Origins in the audit log that are no address. */
const NO_ADDRESSES: ReadonlySet<string> = new Set(GRANT_ORIGINS);

/**
 * Returns the address of the peer for the audit log, or `unknown`.
 *
 * A client can choose this text if the framework trusts every proxy. It must not be `cli` or
 * `host`, because changes from there do not count for `approverCoolingOff`.
 */
function addressOf({ peer = "" }: HttpRequest): string {
  const word = peer.trim().toLowerCase();
  return word === "" || NO_ADDRESSES.has(word) ? "unknown" : peer;
}

/** Answers a request to the operator API. Never rejects. */
export async function answerRequest(
  surface: Pick<RouteContext, "ports" | "access" | "streams" | "exports" | "readFigures">,
  routes: readonly OperatorRoute[],
  request: HttpRequest,
): Promise<HttpReply> {
  const { ports, access } = surface;
  const traceId = request.traceId ?? newTraceId(ports.random);
  const devices = access.accounts?.devicesOf(request) ?? [];
  const origin = { from: addressOf(request), traceId, devices };
  const reply = (failure: ApiFailure, route?: OperatorRoute): HttpReply => {
    reportMisconfigured(ports, failure);
    const language = languageOf(request);
    const message = messageOf(failure, language, ports.policy);
    const facts = failureFactsOf(failure, language);
    const body = JSON.stringify({ error: { name: failure.name, message, traceId, ...facts } });
    return {
      ...jsonReply(statusOf(failure), body, { "x-trace-id": traceId, ...retryHeaders(failure) }),
      failure: { name: failure.name, ...("cause" in failure && { cause: failure.cause }) },
      ...(route === undefined ? {} : { route: route.path }),
    };
  };
  const found = findRoute(routes, request);
  if (found === undefined) return reply({ name: "endpoint.not-found" });
  const { route, inPath } = found;
  const identified = await access.identify(request, isUse(request));
  if (identified.isErr()) return reply(identified.error, route);
  const context: RouteContext = {
    ...surface,
    identified: identified.value,
    origin,
    language: languageOf(request),
    recordHidden: (appId) => recordRefusal(context, route, inPath, { name: "app.not-visible" }, appId),
  };
  const refused = refusalOf(route, request, identified.value);
  if (refused !== undefined) {
    await recordRefusal(context, route, inPath, refused);
    return reply(refused, route);
  }
  for (const appId of askedApps(request, inPath)) {
    // Recorded before the route runs, because the route may answer with an empty list, or that the
    // app does not exist, instead of a refusal.
    if (identified.value !== undefined && !seesApp(identified.value.operator, appId))
      await context.recordHidden(appId);
  }
  const answered = await route.answer(context, request, inPath);
  // The role is sufficient, but the route refused the request: the operator is limited to some
  // apps, or has too many streams or exports. A change that has begun records its failure itself.
  if (answered.isErr() && REFUSED_LATE.has(answered.error.name))
    await recordRefusal(context, route, inPath, answered.error);
  return answered.match(
    ({ value, cookies = [] }) => ({
      ...replyOf(value, { "x-trace-id": traceId }),
      cookies,
      route: route.path,
    }),
    (failure) => reply(failure, route),
  );
}

/**
 * Returns whether a person caused the request.
 *
 * A change is always caused by a person. Reads are repeated by a page that may be unattended, so
 * they count only if the page reports that a person has used it since the last read.
 */
function isUse({ method, headers }: HttpRequest): boolean {
  return method !== "GET" || headers.get("x-attended") === "1";
}

/** The failures of a route that are refusals. */
const REFUSED_LATE: ReadonlySet<string> = new Set([
  "permission.denied",
  "exports.limited",
  "streams.limited",
]);

/** Returns the apps that a request names: in its path, its query or its body. */
function askedApps(request: HttpRequest, { appId }: PathParameters): readonly string[] {
  if (appId !== undefined) return [appId];
  const sent = request.method === "GET" ? readQuery(request) : readJsonBody(request);
  const parameters = sent.unwrapOr<Parameters>({});
  return [parameters["appId"], parameters["app"]].filter((name) => typeof name === "string");
}

/** Returns the header with the time until the next possible attempt to sign in. */
function retryHeaders(failure: ApiFailure): Readonly<Record<string, string>> {
  return failure.name === "sign-in.limited"
    ? { "retry-after": String(Math.ceil(failure.retryAfter / 1_000)) }
    : {};
}

/** Creates a reply with JSON text, or with a stream. */
function replyOf(value: string | Streamed, headers: Readonly<Record<string, string>>): HttpReply {
  if (typeof value === "string") return jsonReply(200, value, headers);
  const { body, contentType, fileName } = value;
  const file = fileName === undefined ? {} : { "content-disposition": `attachment; filename="${fileName}"` };
  return {
    status: 200,
    headers: {
      ...headers,
      ...file,
      "content-type": contentType,
      "cache-control": "no-store",
      // Without this header, nginx would buffer events until it has several kilobytes.
      ...(contentType === "text/event-stream" && { "x-accel-buffering": "no" }),
    },
    body,
  };
}

function findRoute(routes: readonly OperatorRoute[], { method, path }: HttpRequest) {
  for (const route of routes) {
    const inPath = route.method === method ? route.match(path) : undefined;
    if (inPath !== undefined) return { route, inPath };
  }
  return undefined;
}

/** Returns why the sender is not allowed to use the route, or `undefined`. */
function refusalOf(
  { method, allowed }: Pick<OperatorRoute, "method" | "allowed">,
  request: HttpRequest,
  identified: Identified | undefined,
): ApiFailure | undefined {
  const isChange = method !== "GET";
  if (isChange ? !isSameOrigin(request) : isFromOtherSite(request)) return { name: "origin.forbidden" };
  if (allowed === "anyone") return undefined;
  if (identified === undefined) return { name: "session.missing" };
  return (isChange ? csrfRefusal(request, identified) : undefined) ?? rightsRefusal(allowed, identified);
}
