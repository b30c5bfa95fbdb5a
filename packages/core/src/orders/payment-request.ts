import type { PaymentRequest } from "../wallets/wallet.js";
import type { Order } from "./order.js";

/**
 * The payment that the wallet is asked to take for this order.
 *
 * It is the same for ever, also after the host has moved to another URL.
 */
export function paymentRequest(order: Order): PaymentRequest {
  const { id, amount, goodsTitle, paySource, payerId, notifyUrl, returnUrl, expiresAt } = order;
  const payer = payerId === undefined ? {} : { payerId };
  return { outTradeNo: id, amount, goodsTitle, paySource, ...payer, notifyUrl, returnUrl, expiresAt };
}
