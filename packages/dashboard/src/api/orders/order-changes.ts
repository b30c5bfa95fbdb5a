import type { OrderKey, Ports } from "@tillkit/core";
import type { StorageFailure } from "@tillkit/core/errors";
import type { HttpRequest } from "@tillkit/core/http";
import { okAsync, type ResultAsync } from "neverthrow";
import { operatorName } from "../command-of.js";
import type { RouteContext } from "../route.js";
import { isStillAllowed, RIGHTS_INTERVAL } from "../still-allowed.js";

/** How often the order is read while a page is open, in milliseconds. */
const INTERVAL = 1_000;

/** Returns a text that changes whenever the order or one of its refunds does. */
export function orderVersion(
  { orders, refunds }: Pick<Ports, "orders" | "refunds">,
  key: OrderKey,
): ResultAsync<string | undefined, StorageFailure> {
  return orders.find(key).andThen((order) => {
    if (order === undefined) return okAsync(undefined);
    return refunds
      .list(key)
      .map((listed) =>
        JSON.stringify([
          ...[order.gmtModified, order.paymentStatus, order.refundedAmount, order.nextQueryAt ?? 0],
          ...listed.map(({ refundNo, status, gmtModified }) => [refundNo, status, gmtModified]),
        ]),
      );
  });
}

/**
 * Writes an event `changed` whenever the order changes, until the client disconnects.
 *
 * Ends also when the session ends, when the operator no longer sees the app, or when the storage
 * fails: the browser then connects again, and gets the current state with its page.
 *
 * @see {@link https://html.spec.whatwg.org/multipage/server-sent-events.html | Server-sent events}
 */
export async function* orderChanges(
  context: Pick<RouteContext, "ports" | "access" | "streams" | "identified">,
  key: OrderKey,
  request: HttpRequest,
  first: string,
): AsyncGenerator<string, void, undefined> {
  const { ports, streams } = context;
  const release = streams.open(operatorName(context));
  // Requests at the same time have passed the check of the route together.
  if (release === undefined) return;
  try {
    let known = first;
    let lastHeartbeat = ports.clock.now();
    yield "retry: 2000\n\n";
    while (request.client?.aborted !== true) {
      await ports.clock.sleep(INTERVAL);
      const now = ports.clock.now();
      if (now - lastHeartbeat >= RIGHTS_INTERVAL) {
        lastHeartbeat = now;
        if (!(await isStillAllowed(context, request, "read", [key.appId]))) return;
        yield ": alive\n\n";
      }
      const version = await orderVersion(ports, key);
      if (version.isErr() || version.value === undefined) return;
      if (version.value === known) continue;
      known = version.value;
      yield "event: changed\ndata: {}\n\n";
    }
  } finally {
    release();
  }
}
