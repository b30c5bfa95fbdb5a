import type { Ports } from "../ports.js";
import { newTraceId } from "../shared/random.js";
import type { HttpReply, HttpRequest } from "./request.js";

/** Adds the trace id of the request, or a new one, to a reply that has no envelope. */
export function withTraceId(
  reply: HttpReply,
  { random }: Pick<Ports, "random">,
  { traceId = newTraceId(random) }: HttpRequest,
): HttpReply {
  return { ...reply, headers: { ...reply.headers, "x-trace-id": traceId } };
}
