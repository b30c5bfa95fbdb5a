import { err, type Result } from "neverthrow";
import { authenticateCaller } from "../../apps/authenticate-caller.js";
import { fail, type Failure } from "../../errors/failure.js";
import type { Ports } from "../../ports.js";
import { guarded } from "../../shared/guarded.js";
import { newTraceId } from "../../shared/random.js";
import { jsonReply } from "../replies.js";
import type { HttpReply, HttpRequest, RefusingSurface } from "../request.js";
import type { Parameters } from "../read-parameters.js";
import { failureReply, languageOf, type Route } from "./route.js";
import { paymentsRoutes } from "./routes.js";
import { tell } from "../../shared/observer.js";

/** The payments and sessions endpoints. It owns everything below its mount point: an unknown path is answered with `endpoint.not-found`. */
export function paymentsSurface(ports: Ports): RefusingSurface {
  /** Tells the observer of an answer, and puts it into its envelope. */
  const replyWith = (request: HttpRequest, asked: Asked, answer: Result<string, Failure>): HttpReply => {
    const { traceId, startedAt, found } = asked;
    const { method } = request;
    const told = found === undefined ? { method } : { method, path: found.route.path };
    const durationMs = ports.clock.now() - startedAt;
    tell(ports, { type: "request.answered", ...told, traceId, durationMs, ...troubleOf(answer) });
    return answer.match(
      (body) => jsonReply(200, body, { "x-trace-id": traceId }),
      (failure) => failureReply(failure, ports.policy, languageOf(request), traceId),
    );
  };
  const askedBy = (request: HttpRequest): Asked => ({
    startedAt: ports.clock.now(),
    traceId: newTraceId(ports.random),
    found: findRoute(request),
  });
  return {
    name: "payments",
    maxRequestBytes: ports.policy.maxRequestBytes,
    owns: () => true,
    async handle(request): Promise<HttpReply> {
      const asked = askedBy(request);
      return replyWith(request, asked, await guarded(() => answerRequest(ports, request, asked)));
    },
    senderOf: ({ headers }) => headers.get("app_id") ?? "",
    refuse(request, retryAfter) {
      const full = fail("storage.unavailable", { cause: undefined });
      const { status, headers, body } = replyWith(request, askedBy(request), full);
      return { status, headers: { ...headers, "retry-after": retryAfter }, body };
    },
  };
}

interface Asked {
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

async function answerRequest(
  ports: Ports,
  request: HttpRequest,
  { found, traceId }: Asked,
): Promise<Result<string, Failure>> {
  if (found === undefined) return fail("endpoint.not-found");
  const appId = request.headers.get("app_id") ?? undefined;
  const appSecret = request.headers.get("app_secret") ?? undefined;
  const caller = await authenticateCaller(ports, { appId, appSecret });
  if (caller.isErr()) return err(caller.error);
  return found.route.answer(ports, caller.value.appId, request, found.inPath, traceId);
}

function troubleOf(answer: Result<string, Failure>) {
  if (answer.isOk()) return {};
  const failure = answer.error;
  return failure.name === "storage.unavailable"
    ? { failure: failure.name, cause: failure.cause }
    : { failure: failure.name };
}
