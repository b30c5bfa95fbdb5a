import type { Ports } from "../ports.js";
import { newTraceId } from "../shared/random.js";
import type { HttpReply, HttpRequest, ReplyBody } from "./request.js";

/**
 * Adds the trace id of the request, or a new one, to a reply that has no envelope.
 *
 * @param route - the path in the route table. Defaults to `reply.route`.
 */
export function withTraceId<Body extends ReplyBody>(
  reply: HttpReply<Body>,
  { random }: Pick<Ports, "random">,
  { traceId = newTraceId(random) }: HttpRequest,
  route = reply.route,
): HttpReply<Body> {
  // `Object.assign` takes a quarter of the time of a spread with further members.
  const headers = Object.assign({}, reply.headers, { "x-trace-id": traceId });
  return Object.assign({}, reply, { headers }, route === undefined ? undefined : { route });
}
