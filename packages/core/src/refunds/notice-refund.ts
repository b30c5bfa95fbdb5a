import type { Ports } from "../ports.js";
import { tell } from "../shared/tell.js";
import type { RefundStatus } from "./refund.js";
import type { RefundMoved } from "./refund-store.js";

/**
 * Emits that a refund entered a status.
 *
 * Also emits that the order became REFUND, if this refund completed its whole amount.
 */
export function noticeRefund(
  ports: Pick<Ports, "observer">,
  { order, refund }: Pick<RefundMoved, "order" | "refund">,
  to: Exclude<RefundStatus, "SENT">,
): void {
  const { appId, id: orderId } = order;
  const { refundNo, amount } = refund;
  tell(ports, { type: "refund.moved", appId, orderId, refundNo, to, amount });
  const whole = order.paymentStatus === "REFUND" && (to === "CONFIRMED" || to === "SETTLED");
  if (whole) tell(ports, { type: "order.moved", appId, orderId, from: "PAID", to: "REFUND" });
}
