import type { WalletAccount } from "@tillkit/core";
import { beijingTime, signText } from "@tillkit/wallet-kit";
import type { AlipayCredentials } from "../credentials/parse-credentials.js";
import { requestText } from "./signed-texts.js";

/** A call of an API method, and the order number if the call is about an order. */
export interface GatewayRequest {
  readonly method: string;
  readonly outTradeNo?: string;
  /** Business parameters other than the order number. */
  readonly content?: Readonly<Record<string, string | object>>;
  readonly notifyUrl?: string;
}

/** Returns the signed parameters of a request at the time `at` (epoch milliseconds). */
export async function signedParameters(
  at: number,
  { walletAppId, credentials, provider }: WalletAccount,
  { appKey, certificates }: AlipayCredentials,
  request: GatewayRequest & { readonly returnUrl?: string },
) {
  const { method, notifyUrl, returnUrl } = request;
  const parameters = {
    app_id: provider?.walletAppId ?? walletAppId,
    method,
    format: "JSON",
    charset: "utf-8",
    sign_type: "RSA2",
    timestamp: beijingTime(at),
    version: "1.0",
    ...(certificates === undefined
      ? {}
      : { app_cert_sn: certificates.appCertSn, alipay_root_cert_sn: certificates.rootCertSn }),
    ...(notifyUrl === undefined ? {} : { notify_url: notifyUrl }),
    ...(returnUrl === undefined ? {} : { return_url: returnUrl }),
    ...appAuthorisation(credentials),
    biz_content: businessContent(request),
  };
  const sign = await signText(requestText(parameters), appKey);
  // `Object.assign` changes the object, because a copy of so many members takes microseconds.
  return Object.assign(parameters, { sign });
}

/** Returns the parameter with which a service provider acts for the merchant. */
function appAuthorisation({ appAuthToken }: WalletAccount["credentials"]) {
  return appAuthToken === undefined ? {} : { app_auth_token: appAuthToken };
}

/** Returns the parameter `biz_content` of a request. */
export function businessContent({ outTradeNo, content }: GatewayRequest): string {
  // `JSON.stringify` omits `out_trade_no` if it is `undefined`.
  return JSON.stringify({ out_trade_no: outTradeNo, ...content });
}
