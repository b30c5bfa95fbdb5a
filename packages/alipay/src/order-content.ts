import { type PaymentRequest, type PaySource, yuanText } from "@tillkit/core";
import { beijingTime } from "./beijing-time.js";
import type { Ask } from "./gateway.js";

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

/** Characters of a `subject`, and of a `body`. */
const MAX_SUBJECT = 256;
const MAX_BODY = 128;

/** How the wallet is asked to take an order, or its customer is sent to do so. The same request is the same text, down to the byte. */
export function orderAsk(
  request: PaymentRequest,
): Ask & { readonly content: Readonly<Record<string, string>> } {
  const { outTradeNo, amount, goodsTitle, paySource, notifyUrl, returnUrl, expiresAt } = request;
  // The wallet stores three-byte characters at most; control characters it refuses.
  const title = goodsTitle.replace(/[\p{Cc}\u{10000}-\u{10ffff}]/gu, " ").trim();
  return {
    method: METHODS[paySource],
    outTradeNo,
    notifyUrl,
    content: {
      body: cut(title, MAX_BODY, outTradeNo),
      product_code: PRODUCTS[paySource],
      // A subject with one of these is refused.
      subject: cut(title.replace(/[/=&]/g, " ").trim(), MAX_SUBJECT, outTradeNo),
      total_amount: yuanText(amount),
      // The trade begins only when the customer opens it, so nothing but this ends what was handed out.
      time_expire: beijingTime(expiresAt),
      ...(paySource === "H5" ? { quit_url: returnUrl } : {}),
    },
  };
}

/** Never empty: the wallet refuses an order without words. */
function cut(text: string, length: number, otherwise: string): string {
  return text === "" ? otherwise : [...text].slice(0, length).join("");
}
