import type { Ports } from "../ports.js";
import { newTraceId } from "../shared/random.js";
import type { HttpReply, HttpRequest, ReplyBody } from "./request.js";

/** Adds the trace id of the request, or a new one, to a reply that has no envelope. */
export function withTraceId<Body extends ReplyBody>(
  reply: HttpReply<Body>,
  { random }: Pick<Ports, "random">,
  { traceId = newTraceId(random) }: HttpRequest,
): HttpReply<Body> {
  return { ...reply, headers: { ...reply.headers, "x-trace-id": traceId } };
}
