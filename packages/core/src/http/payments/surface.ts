import { err, ok } from "neverthrow";
import type { App } from "../../apps/app.js";
import {
  loadCaller,
  type PresentedCredentials,
  presentedCredentials,
  getCachedCaller,
} from "../../apps/authenticate-caller.js";
import { type Failure, isStorageFailure } from "../../errors/failure.js";
import { reportMisconfigured } from "../../shared/report-misconfigured.js";
import type { Ports } from "../../ports.js";
import { attempt, attemptSync } from "../../shared/attempt.js";
import { emit } from "../../shared/emit.js";
import { newTraceId } from "../../shared/random.js";
import { languageOf } from "../language-of.js";
import type { Parameters } from "../read-parameters.js";
import { tracedHeaders } from "../replies.js";
import {
  type Admission,
  answerAdmission,
  type HttpReply,
  type HttpRequest,
  type LimitableSurface,
} from "../request.js";
import { failureReply } from "./envelope.js";
import { recentCallers } from "./recent-callers.js";
import type { Route } from "./route.js";
import { paymentsRoutes } from "./routes.js";

/** The methods that events report. Any other method becomes `OTHER`: a client can send any text. */
const METHODS: ReadonlySet<string> = new Set("GET HEAD POST PUT PATCH DELETE OPTIONS".split(" "));

/**
 * Creates the surface of the payments and sessions endpoints.
 *
 * It owns everything below its mount point, and answers an unknown path with `endpoint.not-found`.
 *
 * @returns the surface, without a limit of concurrent requests.
 * @example
 * ```ts
 * import { paymentsSurface, withConcurrencyLimit } from "@tillkit/core/http";
 *
 * const payments = withConcurrencyLimit(ports, paymentsSurface(ports));
 * ```
 */
export function paymentsSurface(ports: Ports): LimitableSurface<string> {
  const callers = recentCallers();
  /** Emits `request.answered`, and creates the reply with the envelope of a success. */
  const replySuccess = (
    { method }: HttpRequest,
    call: SurfaceRequest,
    { route }: Found,
    body: string,
    { appId }: PresentedCredentials,
  ): HttpReply<string> => {
    const { traceId, startedAt } = call;
    const durationMs = ports.clock.now() - startedAt;
    emit(ports, { type: "request.answered", method, path: route.path, traceId, appId, durationMs });
    const reply = { status: 200, headers: tracedHeaders(traceId), body, code: 0, route: route.path };
    return route.isNegotiable ? { ...reply, negotiable: { content: body } } : reply;
  };
  /** Emits `request.answered`, and creates the reply with the envelope of a failure. */
  const replyFailure = (
    request: HttpRequest,
    { traceId, startedAt, found }: SurfaceRequest,
    failure: Failure,
    by: KnownCaller,
    reportedAs: ReturnType<typeof failureFields> | { readonly failure: "overload" } = failureFields(failure),
  ): HttpReply<string> => {
    const method = METHODS.has(request.method) ? request.method : "OTHER";
    const labels = found === undefined ? { method } : { method, path: found.route.path };
    const durationMs = ports.clock.now() - startedAt;
    emit(ports, { type: "request.answered", ...labels, traceId, durationMs, ...by, ...reportedAs });
    reportMisconfigured(ports, failure);
    const reply = failureReply(failure, ports.policy, languageOf(request), traceId);
    return found === undefined ? reply : { ...reply, route: found.route.path };
  };
  /** Authenticates the caller by the stored app, and records whether its credentials were right. */
  const lookUp = async (caller: PresentedCredentials) => {
    const app = await loadCaller(ports, caller);
    if (app.isOk()) callers.add(caller);
    else if (app.error.name === "credentials.invalid") callers.delete(caller);
    return app;
  };
  const getCached = (caller: PresentedCredentials) => {
    try {
      return getCachedCaller(ports, caller);
    } catch {
      return undefined;
    }
  };
  /** Returns the app of a failed request, if the cache has it. Does not query storage. */
  const knownCaller = ({ appId }: PresentedCredentials): KnownCaller => {
    const app = attemptSync(() => ok(ports.apps.getCached(appId))).unwrapOr(undefined);
    if (app === undefined) return {};
    return app.disabled ? { appId, isAppDisabled: true } : { appId };
  };
  const admit = (request: HttpRequest): Admission<string> => {
    const startedAt = ports.clock.now();
    const call: SurfaceRequest = {
      startedAt,
      traceId: request.traceId ?? newTraceId(ports.random),
      found: findRoute(request),
    };
    const { found, traceId } = call;
    const refuse = (failure: Failure, by: KnownCaller = {}) => replyFailure(request, call, failure, by);
    if (found === undefined) return { kind: "answered", reply: refuse({ name: "endpoint.not-found" }) };
    const caller = attemptSync(() => presentedCredentials(ports, credentialsOf(request)));
    if (caller.isErr()) return { kind: "answered", reply: refuse(caller.error) };
    const rejectAs =
      (by: KnownCaller) =>
      (retryAfter: string): HttpReply<string> => {
        // Callers retry after an overload as after `storage.unavailable`. The event reports
        // `overload`, because storage is not the cause.
        const failure = { name: "storage.unavailable" } as const;
        const { headers, ...rejected } = replyFailure(request, call, failure, by, {
          failure: "overload",
        });
        return { ...rejected, headers: { ...headers, "retry-after": retryAfter } };
      };
    const trustedAs = (authenticated: App | undefined) => {
      const answer = async (hasWaited: boolean) => {
        const body = attempt(async () => {
          // While the request waited, the app may have been disabled.
          const cached = hasWaited ? getCached(caller.value) : authenticated;
          const app = cached === undefined ? await lookUp(caller.value) : ok(cached);
          if (app.isErr()) return err(app.error);
          return found.route.answer(ports, app.value, request, found.inPath, traceId);
        });
        const answer = await body;
        return answer.isOk()
          ? replySuccess(request, call, found, answer.value, caller.value)
          : refuse(answer.error, knownCaller(caller.value));
      };
      const reject = rejectAs({ appId: caller.value.appId });
      return { kind: "trusted", sender: caller.value.appId, answer, reject } as const;
    };
    const cached = getCached(caller.value);
    if (cached !== undefined || callers.has(caller.value)) return trustedAs(cached);
    const authenticate = async () => {
      const app = await lookUp(caller.value);
      return app.isErr()
        ? ({ kind: "answered", reply: refuse(app.error, knownCaller(caller.value)) } as const)
        : trustedAs(app.value);
    };
    // The app id of this request is not verified.
    return { kind: "untrusted", authenticate, reject: rejectAs({}) };
  };
  return {
    name: "payments",
    maxRequestBytes: ports.policy.maxRequestBytes,
    owns: () => true,
    handle: (request) => answerAdmission(admit(request)),
    admit,
  };
}

function credentialsOf({ headers }: HttpRequest) {
  return { appId: headers.get("app_id") ?? undefined, appSecret: headers.get("app_secret") ?? undefined };
}

/** The app in the event `request.answered`. Empty unless the app is known to exist. */
interface KnownCaller {
  readonly appId?: string;
  readonly isAppDisabled?: true;
}

interface SurfaceRequest {
  readonly startedAt: number;
  readonly traceId: string;
  readonly found: Found | undefined;
}

interface Found {
  readonly route: Route;
  readonly inPath: Parameters;
}

function findRoute({ method, path }: HttpRequest): Found | undefined {
  for (const route of paymentsRoutes) {
    const inPath = route.method === method ? route.match(path) : undefined;
    if (inPath !== undefined) return { route, inPath };
  }
  return undefined;
}

function failureFields(failure: Failure) {
  return isStorageFailure(failure)
    ? { failure: failure.name, cause: failure.cause }
    : { failure: failure.name };
}
