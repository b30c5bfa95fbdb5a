import { newTraceId, type Ports } from "@tillkit/core";
import type { Surface } from "@tillkit/core/http";
import type { AnsweredRequest } from "./answered-request.js";

/**
 * Wraps a surface so that its requests are recorded and its replies have a trace id.
 *
 * For downloads and notifications. The observer already records payments and session requests.
 */
export function watchSurface(
  surface: Surface,
  routes: readonly { readonly method: string; readonly path: string }[],
  { clock, random }: Pick<Ports, "clock" | "random">,
  record: (request: AnsweredRequest) => void,
): Surface {
  const known = routes.map(({ method, path }) => ({
    method,
    path,
    pattern: new RegExp(`^${path.replaceAll(/\{\w+\}/g, "[^/]+")}$`),
  }));
  return {
    maxRequestBytes: surface.maxRequestBytes,
    owns: (method, path) => surface.owns(method, path),
    async handle(request) {
      const startedAt = clock.now();
      const reply = await surface.handle(request);
      // A reply that repeats its trace id in the body already has this header.
      const traceId = reply.headers["x-trace-id"] ?? newTraceId(random);
      const { method } = request;
      const found = known.find((one) => one.method === method && one.pattern.test(request.path));
      const durationMs = clock.now() - startedAt;
      record({
        method,
        route: found?.path ?? "unknown",
        code: "none",
        status: reply.status,
        traceId,
        durationMs,
      });
      return { ...reply, headers: { ...reply.headers, "x-trace-id": traceId } };
    },
  };
}
