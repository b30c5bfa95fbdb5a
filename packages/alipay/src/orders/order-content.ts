import { type PaymentRequest, type PaySource, type WalletAccount, yuanText } from "@tillkit/core";
import { beijingTime } from "../times.js";
import type { Ask } from "../gateway/call-api.js";
import { plainText, titleText } from "../texts.js";

const METHODS = {
  APP: "alipay.trade.app.pay",
  H5: "alipay.trade.wap.pay",
  NATIVE: "alipay.trade.precreate",
  JSAPI: "alipay.trade.create",
  PC: "alipay.trade.page.pay",
} as const satisfies Record<PaySource, string>;

const PRODUCTS = {
  APP: "QUICK_MSECURITY_PAY",
  H5: "QUICK_WAP_WAY",
  NATIVE: "FACE_TO_FACE_PAYMENT",
  JSAPI: "JSAPI_PAY",
  PC: "FAST_INSTANT_TRADE_PAY",
} as const satisfies Record<PaySource, string>;

/** Bytes of a `subject` and of a `body`. The documents name no unit; bytes give the least room. */
const MAX_SUBJECT = 256;
const MAX_BODY = 128;

/** What names a customer by number; every other id is an open id. */
const USER_ID = /^2088\d{12}$/;

/** How the wallet is asked to take an order, or its customer is sent to do so. The same request is the same text, down to the byte. */
export function orderAsk(
  request: PaymentRequest,
  { walletAppId }: Pick<WalletAccount, "walletAppId">,
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
      ...(paySource === "JSAPI" ? { op_app_id: walletAppId, ...buyerOf(request) } : {}),
    },
  };
}

// An open id belongs to one app: `buyer_open_id` is the customer's in the app that asks, which is also `op_app_id`.
function buyerOf({ payerId = "" }: PaymentRequest) {
  return USER_ID.test(payerId) ? { buyer_id: payerId } : { buyer_open_id: payerId };
}
