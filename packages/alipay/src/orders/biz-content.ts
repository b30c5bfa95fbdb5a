import { type PaySource, type WalletAccount, yuanText } from "@tillkit/core";
import type { PaymentRequest } from "@tillkit/core/ports";
import { beijingTime } from "@tillkit/wallet-kit";
import type { AlipayCredentials } from "../credentials/parse-credentials.js";
import type { GatewayRequest } from "../signing/signed-parameters.js";
import { titleText } from "../title-text.js";
import { productCodeOf } from "../product-codes.js";
import { optionMembers } from "./request-options.js";

const METHODS = {
  APP: "alipay.trade.app.pay",
  H5: "alipay.trade.wap.pay",
  NATIVE: "alipay.trade.precreate",
  JSAPI: "alipay.trade.create",
  PC: "alipay.trade.page.pay",
} as const satisfies Record<PaySource, string>;

/** Maximum size of a `subject`. Alipay documents no unit; bytes are the strictest one. */
const MAX_SUBJECT = 256;
const MAX_BODY = 128;

/** Matches a numeric customer id. Every other id is an open id. */
const USER_ID = /^2088\d{12}$/;

/** The members of `biz_content` that every order has, and those that some orders have. */
type OrderContent = Readonly<Record<"body" | "product_code" | "subject" | "total_amount", string>> &
  Readonly<Record<string, string | object>>;

/**
 * Returns the API call for an order, or the parameters with which the customer opens Alipay.
 *
 * Equal requests give equal text. `content` lists every member of `biz_content` except the first
 * one: {@link signedParameters} puts `out_trade_no` before the members of `content`.
 */
export function orderRequest(
  request: PaymentRequest,
  { walletAppId }: Pick<WalletAccount, "walletAppId">,
  { productCodes }: Pick<AlipayCredentials, "productCodes">,
): GatewayRequest & { readonly content: OrderContent } {
  const { outTradeNo, amount, goodsTitle, paySource, notifyUrl, returnUrl, expiresAt } = request;
  return {
    method: METHODS[paySource],
    outTradeNo,
    notifyUrl,
    content: {
      body: titleText(goodsTitle, MAX_BODY, outTradeNo),
      product_code: productCodeOf(paySource, productCodes),
      subject: titleText(goodsTitle, MAX_SUBJECT, outTradeNo),
      total_amount: yuanText(amount),
      // The trade starts when the customer opens it, so only this time limits the payload.
      time_expire: beijingTime(expiresAt),
      ...(paySource === "H5" ? { quit_url: returnUrl } : {}),
      ...(paySource === "JSAPI" ? { op_app_id: walletAppId, ...buyerOf(request) } : {}),
      ...optionMembers(request),
    },
  };
}

// An open id is valid for one app: `buyer_open_id` belongs to the app in `op_app_id`.
function buyerOf({ payerId = "" }: PaymentRequest) {
  return USER_ID.test(payerId) ? { buyer_id: payerId } : { buyer_open_id: payerId };
}
