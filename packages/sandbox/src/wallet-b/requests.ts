import type { KeyObject } from "node:crypto";
import { type PaymentRequest, type WalletAccount, type WalletBAppPayload, yuanText } from "@tillkit/core";
import { chinaTime } from "../shared/china-time.js";
import { formText, signRequest } from "./sign.js";

const GATEWAY = "https://openapi-sandbox.dl.alipaydev.com/gateway.do";
const MAX_SUBJECT = 256;

/** The signed object that opens a payment in an app. Source: payments spec, "WALLET_B payload". */
export function appPayload(
  account: WalletAccount,
  request: PaymentRequest,
  at: number,
  key: KeyObject,
): Promise<WalletBAppPayload> {
  return signed(
    "alipay.trade.app.pay",
    account,
    request,
    bizContent(request, "QUICK_MSECURITY_PAY"),
    at,
    key,
  );
}

/** The signed address that opens a payment in a browser. */
export async function browserUrl(
  account: WalletAccount,
  request: PaymentRequest,
  at: number,
  key: KeyObject,
): Promise<string> {
  const content = { ...bizContent(request, "QUICK_WAP_WAY"), quit_url: request.returnUrl };
  const payload = await signed("alipay.trade.wap.pay", account, request, content, at, key);
  return `${GATEWAY}?${formText({ ...payload })}`;
}

/** What WALLET_B is told of the order. `subject` may not hold `/`, `=` or `&`. */
function bizContent(request: PaymentRequest, productCode: string): Readonly<Record<string, string>> {
  const { goodsTitle, outTradeNo, amount, expiresAt } = request;
  const subject = [...goodsTitle.replace(/[/=&\p{Cc}]/gu, " ").trim()].slice(0, MAX_SUBJECT).join("");
  return {
    body: goodsTitle,
    out_trade_no: outTradeNo,
    product_code: productCode,
    subject: subject === "" ? outTradeNo : subject,
    total_amount: yuanText(amount),
    time_expire: chinaTime(expiresAt),
  };
}

async function signed(
  method: string,
  account: WalletAccount,
  request: PaymentRequest,
  content: Readonly<Record<string, string>>,
  at: number,
  key: KeyObject,
): Promise<WalletBAppPayload> {
  const parameters = {
    app_id: account.walletAppId,
    method,
    format: "JSON",
    charset: "utf-8",
    sign_type: "RSA2",
    timestamp: chinaTime(at),
    version: "1.0",
    notify_url: request.notifyUrl,
    return_url: request.returnUrl,
    biz_content: JSON.stringify(content),
  };
  return { ...parameters, sign: await signRequest(parameters, key) };
}
