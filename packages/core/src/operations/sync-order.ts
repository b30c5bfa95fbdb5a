import { ok, type ResultAsync } from "neverthrow";
import { fail } from "../errors/failure.js";
import { isImported } from "../orders/imported-order.js";
import type { Order } from "../orders/order.js";
import { refreshOrder, type RefreshPorts } from "../orders/refresh-order.js";
import { attempt } from "../shared/attempt.js";
import { type OperatorFailure, operatorFailure } from "./operator-failure.js";

/**
 * Queries the wallet about an order now, for an operator, and returns the updated order.
 *
 * Queries only about a PENDING or CLOSE order, and returns any other order unchanged. A PENDING
 * order whose time to pay is over is closed unless the wallet reports a payment. An imported order
 * is queried with the app's current pay tool.
 *
 * @returns the order as it is now. Fails with `order.not-found`, or with the wallet's failure.
 * @example
 * ```ts
 * import { syncOrder } from "@tillkit/core";
 *
 * const synced = await syncOrder(ports, "app_1", "order-1001");
 * ```
 */
export function syncOrder(
  ports: RefreshPorts,
  appId: string,
  orderBizNo: string,
): ResultAsync<Order, OperatorFailure> {
  return attempt(async () => {
    const orderResult = await ports.orders.find({ appId, bizNo: orderBizNo });
    if (orderResult.isErr()) return orderResult;
    const stored = orderResult.value;
    if (stored === undefined) return fail("order.not-found");
    const connected = await connectedOrder(ports, stored);
    if (connected.isErr()) return connected;
    const order = connected.value;
    const refreshed = refreshOrder(ports, order, ports.policy.walletDeadline);
    return refreshed.mapErr((failure) => operatorFailure(order, failure));
  });
}

/** Returns the order. An imported order gets the app's current pay tool, which is not stored. */
async function connectedOrder(ports: Pick<RefreshPorts, "payTools">, order: Order) {
  if (!isImported(order)) return ok(order);
  const current = await ports.payTools.current(order.appId, order.payChannel);
  if (current.isErr()) return current;
  if (current.value === undefined) return fail("pay-tool.not-configured");
  return ok({ ...order, payToolId: current.value.id });
}
