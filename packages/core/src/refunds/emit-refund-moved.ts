import type { Ports } from "../ports.js";
import { emit } from "../shared/emit.js";
import type { RefundStatus } from "../orders/refund-status.js";
import type { Order } from "../orders/order.js";
import type { Refund } from "./refund.js";

/** The refund, and the order as the change left it. */
interface MovedRefund {
  readonly order: Pick<Order, "appId" | "id" | "paymentStatus" | "amount" | "refundedAmount">;
  readonly refund: Pick<Refund, "refundNo" | "amount">;
}

/**
 * Emits `refund.moved`: a refund entered the status `to`.
 *
 * Also emits `order.moved` if this refund completed the amount of the order, which is now REFUND.
 */
export function emitRefundMoved(
  ports: Pick<Ports, "observer">,
  { order, refund }: MovedRefund,
  to: Exclude<RefundStatus, "SENT">,
): void {
  const { appId, id: orderId } = order;
  const { refundNo, amount } = refund;
  emit(ports, { type: "refund.moved", appId, orderId, refundNo, to, amount });
  const counts = to === "CONFIRMED" || to === "SETTLED";
  const completes = order.paymentStatus === "REFUND" && order.refundedAmount - amount < order.amount;
  if (counts && completes) emit(ports, { type: "order.moved", appId, orderId, from: "PAID", to: "REFUND" });
}
