import type { PaymentRequest } from "../wallets/wallet.js";
import type { Order } from "./order.js";

/**
 * Returns the payment request that the wallet gets for this order.
 *
 * The result never changes for an order, even if the host moves to another URL: it uses the stored
 * URLs.
 */
export function paymentRequest(order: Order): PaymentRequest {
  const { id, amount, goodsTitle, paySource, payerId, notifyUrl, returnUrl, expiresAt } = order;
  const payer = payerId === undefined ? {} : { payerId };
  const request = {
    outTradeNo: id,
    amount,
    goodsTitle,
    paySource,
    ...payer,
    notifyUrl,
    returnUrl,
    expiresAt,
  };
  const options = order.walletOptions?.sent;
  return options === undefined ? request : { ...request, options };
}
