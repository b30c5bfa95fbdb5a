import type { OrderKey, Ports } from "@tillkit/core";
import type { StorageFailure } from "@tillkit/core/errors";
import type { HttpRequest } from "@tillkit/core/http";
import { okAsync, ResultAsync } from "neverthrow";
import { operatorName } from "../command-of.js";
import type { RouteContext } from "../route-context.js";
import { isStillAllowed, RIGHTS_INTERVAL } from "../still-allowed.js";

/** How often the orders are read while their pages are open, in milliseconds. */
const INTERVAL = 1_000;
/** Shows the page that the stream works, because a proxy may buffer a stream for ever. */
const ALIVE = "event: alive\ndata: {}\n\n";

/** An order that a stream watches, with a text that changes whenever the order does. */
interface WatchedOrder {
  readonly key: OrderKey;
  readonly version: string | undefined;
}

/**
 * Returns each order with its version.
 *
 * The version changes whenever the order, a refund or an approval of the order changes. It is
 * `undefined` for an order that does not exist.
 */
export function orderVersions(
  ports: Pick<Ports, "orders" | "refunds" | "refundApprovals">,
  keys: readonly OrderKey[],
): ResultAsync<readonly WatchedOrder[], StorageFailure> {
  return ResultAsync.combine(
    keys.map((key) => orderVersion(ports, key).map((version) => ({ key, version }))),
  );
}

function orderVersion(
  { orders, refunds, refundApprovals }: Pick<Ports, "orders" | "refunds" | "refundApprovals">,
  key: OrderKey,
): ResultAsync<string | undefined, StorageFailure> {
  return orders.find(key).andThen((order) => {
    if (order === undefined) return okAsync(undefined);
    return ResultAsync.combine([refunds.list(key), refundApprovals.listOfOrder(key)]).map(
      ([listed, approvals]) =>
        JSON.stringify([
          order.gmtModified,
          order.paymentStatus,
          order.refundedAmount,
          order.nextQueryAt ?? 0,
          ...listed.map(({ refundNo, status, gmtModified }) => [refundNo, status, gmtModified]),
          ...approvals.map(({ id, state, failure }) => [id, state, failure ?? ""]),
        ]),
    );
  });
}

/**
 * Writes an event `changed` with its order whenever an order changes, until the client disconnects.
 *
 * Also ends when the session ends, when the operator no longer sees one of the apps, or when the
 * storage fails. The browser then connects again, and the page loads the current state.
 *
 * @see {@link https://html.spec.whatwg.org/multipage/server-sent-events.html | Server-sent events}
 */
export async function* orderChanges(
  context: Pick<RouteContext, "ports" | "access" | "streams" | "identified">,
  request: HttpRequest,
  first: readonly WatchedOrder[],
): AsyncGenerator<string, void, undefined> {
  const { ports, streams } = context;
  const keys = first.map(({ key }) => key);
  const apps = [...new Set(keys.map(({ appId }) => appId))];
  const release = streams.open(operatorName(context));
  // Concurrent requests may all have passed the check of the route.
  if (release === undefined) return;
  try {
    let known = first;
    let lastHeartbeat = ports.clock.now();
    yield `retry: 2000\n${ALIVE}`;
    while (request.client?.aborted !== true) {
      await ports.clock.sleep(INTERVAL);
      const now = ports.clock.now();
      if (now - lastHeartbeat >= RIGHTS_INTERVAL) {
        lastHeartbeat = now;
        if (!(await isStillAllowed(context, request, "read", apps))) return;
        yield ALIVE;
      }
      const read = await orderVersions(ports, keys);
      if (read.isErr()) return;
      const changed = read.value.filter(({ version }, nth) => version !== known[nth]?.version);
      known = read.value;
      for (const { key } of changed) yield changedEvent(key);
    }
  } finally {
    release();
  }
}

function changedEvent({ appId, bizNo }: OrderKey): string {
  return `event: changed\ndata: ${JSON.stringify({ appId, bizNo })}\n\n`;
}
