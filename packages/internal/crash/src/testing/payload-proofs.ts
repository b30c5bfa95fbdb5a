// Verifies payloads as a wallet's app does, without the signing code of this repository: with
// Node's crypto by the wallets' rules, and with third-party SDKs.
import { createPublicKey, verify } from "node:crypto";
import { AlipaySdk } from "alipay-sdk";
import { Formatter, Rsa } from "wechatpay-axios-plugin";
import { z } from "zod";

const text = z.string().min(1);

/** The schema of the response of `GET /keys` of the control interface. The texts are PEM. */
export const shownKeys = z.strictObject({
  walletA: z.strictObject({ merchantPublicKey: text, walletPublicKeys: z.record(text, text) }),
  walletB: z.strictObject({ appPublicKey: text, walletPublicKey: text }),
});

/** The payload of an app for WeChat Pay. */
export const walletAPayload = z.strictObject({
  appid: text,
  partnerid: text,
  prepayid: text,
  package: z.literal("Sign=WXPay"),
  noncestr: text,
  timestamp: z.int(),
  sign: text,
});

/** The payload of an app for Alipay. */
export const walletBPayload = z.strictObject({
  app_id: text,
  method: z.literal("alipay.trade.app.pay"),
  format: z.literal("JSON"),
  charset: z.literal("utf-8"),
  sign_type: z.literal("RSA2"),
  sign: text,
  timestamp: z.string().regex(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/),
  version: z.literal("1.0"),
  notify_url: text,
  return_url: text,
  biz_content: text,
});

/** Whether each of the two verifiers accepts the merchant's signature. */
export interface Proofs {
  readonly node: boolean;
  readonly sdk: boolean;
}

/** Verifies a payload for WeChat Pay. */
export function proveWalletA(payload: z.infer<typeof walletAPayload>, merchantPublicKey: string): Proofs {
  const { appid, timestamp, noncestr, prepayid, sign } = payload;
  const lines = Formatter.joinedByLineFeed(appid, String(timestamp), noncestr, prepayid);
  return {
    node: verified(`${appid}\n${timestamp}\n${noncestr}\n${prepayid}\n`, sign, merchantPublicKey),
    sdk: Rsa.verify(lines, sign, merchantPublicKey),
  };
}

/** Verifies a payload for Alipay. */
export function proveWalletB(payload: z.infer<typeof walletBPayload>, appPublicKey: string): Proofs {
  const { sign, ...parameters } = payload;
  const pairs = Object.entries(parameters).map(([name, value]) => `${name}=${value}`);
  // The SDK verifies signatures of the wallet, so it gets the app's key as the wallet's key.
  const sdk = new AlipaySdk({ appId: payload.app_id, privateKey: "unused", alipayPublicKey: appPublicKey });
  return {
    node: verified(pairs.sort().join("&"), sign, appPublicKey),
    sdk: sdk.checkNotifySignV2({ ...payload }),
  };
}

function verified(signed: string, signature: string, pem: string): boolean {
  return verify("RSA-SHA256", Buffer.from(signed), createPublicKey(pem), Buffer.from(signature, "base64"));
}
