import type { Order } from "../orders/order.js";
import type { WalletRefundRequest } from "../wallets/wallet.js";
import { outRefundNo, type Refund } from "./refund.js";

/** Returns the request with which the wallet is asked for this refund, or queried about it. */
export function walletRequest(order: Order, refund: Refund): WalletRefundRequest {
  return {
    outTradeNo: order.id,
    refundNo: outRefundNo(order, refund),
    amount: refund.amount,
    orderAmount: order.amount,
    reason: refund.reason,
    notifyUrl: order.notifyUrl,
  };
}
