import { err, ok, type ResultAsync } from "neverthrow";
import { findConnectedOrder } from "../orders/find-connected-order.js";
import { keyOf, type Order } from "../orders/order.js";
import { refreshOrder, type RefreshPorts } from "../orders/refresh-order.js";
import { processRefund } from "../refunds/process-refund.js";
import type { SendRefundPorts } from "../refunds/refund-call.js";
import { isOpenRefund } from "../refunds/refund.js";
import { attempt } from "../shared/attempt.js";
import { type OperatorFailure, operatorFailure } from "./operator-failure.js";

/**
 * Queries the wallet about an order now, for an operator, and returns the updated order.
 *
 * Calls the wallet about a PENDING or CLOSE order. Continues each open refund of a PAID order, as
 * `syncRefund` does. A PENDING order whose time to pay is over is closed unless the wallet reports
 * a payment. Connects an imported order to the app's current pay tool. Tillkit then treats it like
 * any other order.
 *
 * @returns the order as it is now. Fails with `order.not-found`, `pay-tool.not-configured`, or the
 *   failure of the wallet or the storage.
 * @example
 * ```ts
 * import { syncOrder } from "@tillkit/core";
 *
 * const synced = await syncOrder(ports, "app_1", "order-1001");
 * ```
 */
export function syncOrder(
  ports: RefreshPorts & SendRefundPorts,
  appId: string,
  orderBizNo: string,
): ResultAsync<Order, OperatorFailure> {
  return attempt(async () => {
    const order = await findConnectedOrder(ports, { appId, bizNo: orderBizNo }, "operator");
    if (order.isErr()) return order;
    const current = await refreshOrder(ports, order.value, ports.policy.walletDeadline);
    if (current.isErr()) return err(operatorFailure(order.value, current.error));
    const key = keyOf(order.value);
    const refunds = await ports.refunds.list(key);
    if (refunds.isErr()) return err(refunds.error);
    const open = refunds.value.filter(isOpenRefund);
    for (const refund of open) {
      const refundOutcome = await processRefund(ports, current.value, refund);
      if (refundOutcome.isErr()) return err(refundOutcome.error);
    }
    if (open.length === 0) return ok(current.value);
    const result = ports.orders.find(key);
    return result.map((after) => after ?? current.value);
  });
}
