import type { Ports } from "../ports.js";
import { newTraceId } from "../shared/random.js";
import { languageOf } from "./language-of.js";
import { failureReply } from "./payments/envelope.js";
import type { HttpReply, HttpRequest } from "./request.js";

/**
 * The reply for an endpoint that does not exist: 404 and 10014 (`endpoint.not-found`).
 *
 * The status is 404 even if `policy.statusMode` gives every other failure the status 200: see
 * `statusInEveryMode` of the catalog.
 */
export function endpointNotFound(
  ports: Pick<Ports, "policy" | "random">,
  request: HttpRequest,
): HttpReply<string> {
  const traceId = request.traceId ?? newTraceId(ports.random);
  return failureReply({ name: "endpoint.not-found" }, ports.policy, languageOf(request), traceId);
}
