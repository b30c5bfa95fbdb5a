import type { ResultAsync } from "neverthrow";
import { findConnectedOrder } from "../orders/find-connected-order.js";
import type { Order } from "../orders/order.js";
import { refreshOrder, type RefreshPorts } from "../orders/refresh-order.js";
import { attempt } from "../shared/attempt.js";
import { type OperatorFailure, operatorFailure } from "./operator-failure.js";

/**
 * Queries the wallet about an order now, for an operator, and returns the updated order.
 *
 * Queries only about a PENDING or CLOSE order, and returns any other order unchanged. A PENDING
 * order whose time to pay is over is closed unless the wallet reports a payment. An imported order
 * is connected to the app's current pay tool, and from then on an order like others.
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
    const found = await findConnectedOrder(ports, { appId, bizNo: orderBizNo }, "operator");
    if (found.isErr()) return found;
    const order = found.value;
    const refreshed = refreshOrder(ports, order, ports.policy.walletDeadline);
    return refreshed.mapErr((failure) => operatorFailure(order, failure));
  });
}
