import { err, type Result } from "neverthrow";
import { authenticateCaller } from "../../apps/authenticate-caller.js";
import { fail, type Failure } from "../../errors/failure.js";
import type { Ports } from "../../ports.js";
import { newTraceId } from "../../shared/random.js";
import { jsonReply } from "../replies.js";
import type { HttpReply, HttpRequest, Surface } from "../request.js";
import { failureReply, languageOf } from "./route.js";
import { paymentsRoutes } from "./routes.js";

/** The payments and sessions endpoints. It owns everything below its mount point: an unknown path is answered with `endpoint.not-found`. */
export function paymentsSurface(ports: Ports): Surface {
  return {
    maxRequestBytes: ports.policy.maxRequestBytes,
    owns: () => true,
    async handle(request): Promise<HttpReply> {
      const traceId = newTraceId(ports.random);
      const answer = await settled(() => answerRequest(ports, request, traceId));
      return answer.match(
        (body) => jsonReply(200, body, { "x-trace-id": traceId }),
        (failure) => failureReply(failure, ports.policy, languageOf(request), traceId),
      );
    },
  };
}

async function answerRequest(
  ports: Ports,
  request: HttpRequest,
  traceId: string,
): Promise<Result<string, Failure>> {
  for (const route of paymentsRoutes) {
    const inPath = route.method === request.method ? route.match(request.path) : undefined;
    if (inPath === undefined) continue;
    const { app_id: appId, app_secret: appSecret } = request.headers;
    const caller = await authenticateCaller(ports, { appId, appSecret });
    if (caller.isErr()) return err(caller.error);
    return route.answer(ports, caller.value.appId, request, inPath, traceId);
  }
  return fail("endpoint.not-found");
}

async function settled(answer: () => Promise<Result<string, Failure>>): Promise<Result<string, Failure>> {
  try {
    return await answer();
  } catch (cause) {
    return fail("storage.unavailable", { cause });
  }
}
