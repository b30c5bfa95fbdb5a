import type { Order } from "../orders/order.js";
import type { WalletRefundRequest } from "../wallets/wallet.js";
import { outRefundNo, type Refund } from "./refund.js";

/** Returns the request for this refund, or for a query about it. */
export function walletRefundRequest(
  order: Order,
  refund: Pick<Refund, "refundNo" | "amount" | "reason">,
): WalletRefundRequest {
  return {
    outTradeNo: order.id,
    refundNo: outRefundNo(order, refund),
    amount: refund.amount,
    orderAmount: order.amount,
    reason: refund.reason,
    notifyUrl: order.notifyUrl,
  };
}
