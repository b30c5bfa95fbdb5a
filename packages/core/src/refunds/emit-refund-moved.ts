import type { Ports } from "../ports.js";
import { emit } from "../shared/emit.js";
import type { RefundStatus } from "../orders/refund-status.js";
import type { RefundTransitionResult } from "./refund-store.js";

/**
 * Emits `refund.moved`: a refund entered the status `to`.
 *
 * After a CONFIRMED or SETTLED refund of an order that is now REFUND, also emits `order.moved`.
 */
export function emitRefundMoved(
  ports: Pick<Ports, "observer">,
  { order, refund }: Pick<RefundTransitionResult, "order" | "refund">,
  to: Exclude<RefundStatus, "SENT">,
): void {
  const { appId, id: orderId } = order;
  const { refundNo, amount } = refund;
  emit(ports, { type: "refund.moved", appId, orderId, refundNo, to, amount });
  const whole = order.paymentStatus === "REFUND" && (to === "CONFIRMED" || to === "SETTLED");
  if (whole) emit(ports, { type: "order.moved", appId, orderId, from: "PAID", to: "REFUND" });
}
