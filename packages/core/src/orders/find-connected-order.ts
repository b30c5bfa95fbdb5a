import { ok, type ResultAsync } from "neverthrow";
import { fail, type FailureOf, type StorageFailureName } from "../errors/failure.js";
import type { Ports } from "../ports.js";
import { attempt } from "../shared/attempt.js";
import { eventWith } from "./event-details.js";
import { isImported } from "./imported-order.js";
import type { Order, OrderKey } from "./order.js";

/**
 * Returns an order for an operator's command that calls the wallet.
 *
 * Connects an imported order to the app's current pay tool first. The connection is permanent,
 * because the account that begins a refund must also confirm it. Other orders stay unchanged.
 *
 * @param actor - who runs the command, for the timeline.
 * @returns the order. Fails with `pay-tool.not-configured` if the order is imported and the app has
 *   no pay tool.
 */
export function findConnectedOrder(
  ports: Pick<Ports, "orders" | "payTools" | "clock">,
  key: OrderKey,
  actor: string,
): ResultAsync<Order, FailureOf<"order.not-found" | "pay-tool.not-configured" | StorageFailureName>> {
  return attempt(async () => {
    const found = await ports.orders.find(key);
    if (found.isErr()) return found;
    const order = found.value;
    if (order === undefined) return fail("order.not-found");
    if (!isImported(order)) return ok(order);
    const tool = await ports.payTools.current(order.appId, order.payChannel);
    if (tool.isErr()) return tool;
    if (tool.value === undefined) return fail("pay-tool.not-configured");
    const connected = await ports.orders.connect(
      key,
      tool.value.id,
      connectedEntry(ports.clock.now(), actor, tool.value.id),
    );
    return connected.andThen((stored) => (stored === undefined ? fail("order.not-found") : ok(stored)));
  });
}

/** Returns the timeline entry for connecting an imported order to a pay tool. */
export function connectedEntry(at: number, actor: string, payToolId: string) {
  return {
    ...eventWith("CONNECTED", { payToolId }),
    at,
    actor,
    alarm: false,
  } as const;
}
