import { type PaymentRequest, type PaySource, yuanText } from "@tillkit/core";
import { beijingTime } from "./beijing-time.js";
import type { Ask } from "./gateway.js";
import { plainText, titleText } from "./texts.js";

const METHODS = {
  APP: "alipay.trade.app.pay",
  H5: "alipay.trade.wap.pay",
  NATIVE: "alipay.trade.precreate",
} as const satisfies Record<PaySource, string>;

const PRODUCTS = {
  APP: "QUICK_MSECURITY_PAY",
  H5: "QUICK_WAP_WAY",
  NATIVE: "FACE_TO_FACE_PAYMENT",
} as const satisfies Record<PaySource, string>;

/** Bytes of a `subject` and of a `body`. The documents name no unit; bytes give the least room. */
const MAX_SUBJECT = 256;
const MAX_BODY = 128;

/** How the wallet is asked to take an order, or its customer is sent to do so. The same request is the same text, down to the byte. */
export function orderAsk(
  request: PaymentRequest,
): Ask & { readonly content: Readonly<Record<string, string>> } {
  const { outTradeNo, amount, goodsTitle, paySource, notifyUrl, returnUrl, expiresAt } = request;
  return {
    method: METHODS[paySource],
    outTradeNo,
    notifyUrl,
    content: {
      body: plainText(goodsTitle, MAX_BODY, outTradeNo),
      product_code: PRODUCTS[paySource],
      subject: titleText(goodsTitle, MAX_SUBJECT, outTradeNo),
      total_amount: yuanText(amount),
      // The trade begins only when the customer opens it, so nothing but this ends what was handed out.
      time_expire: beijingTime(expiresAt),
      ...(paySource === "H5" ? { quit_url: returnUrl } : {}),
    },
  };
}
