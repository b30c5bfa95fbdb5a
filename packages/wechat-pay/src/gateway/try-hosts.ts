import { err, ok, type Result } from "neverthrow";
import type { GatewayHost, HostSelector } from "./host-selector.js";
import type { NoResponse, ResponseTimeouts } from "./send-http-request.js";

/** The end of a call: `signal` aborts at the time `until`, by `performance.now()`. */
export interface SendDeadline {
  readonly signal: AbortSignal;
  readonly until: number;
}

/** Maximum milliseconds to connect to a host while another host is left to try. */
const MAX_CONNECT_MS = 3_000;

/**
 * Sends a request to the first host, or to the next one if there was no response.
 *
 * A repeatable request goes to the next host if the connection failed before a response. Any other
 * request does so only if no connection could be made: otherwise the first host may have executed
 * it. While another host is left, connecting may take at most 3 seconds, and at most half of the
 * remaining time.
 */
export async function tryHosts<T>(
  hosts: HostSelector,
  isRepeatable: boolean,
  { signal, until }: SendDeadline,
  send: (host: GatewayHost, timeouts: ResponseTimeouts) => Promise<Result<T, NoResponse>>,
): Promise<Result<T, NoResponse>> {
  const order = hosts.inOrder();
  let failure: NoResponse = { reason: "unreachable", detail: "no gateway host is configured" };
  for (const [index, host] of order.entries()) {
    const share = Math.min(MAX_CONNECT_MS, (until - performance.now()) / 2);
    const timeouts = index < order.length - 1 ? { signal, connectWithin: share } : { signal };
    const answer = await send(host, timeouts);
    if (answer.isOk()) {
      hosts.answered(host);
      return ok(answer.value);
    }
    failure = answer.error;
    const { reason } = failure;
    if (reason === "unreachable" || reason === "network") hosts.failed(host);
    if (reason !== "unreachable" && !(reason === "network" && isRepeatable)) break;
  }
  return err(failure);
}
