// What a wallet's software on the phone makes of a payload, in code that no signer of this repository shares: Node's own by the wallets' rules,
// and the SDKs of others.
import { createPublicKey, verify } from "node:crypto";
import { AlipaySdk } from "alipay-sdk";
import { Formatter, Rsa } from "wechatpay-axios-plugin";
import { z } from "zod";

const text = z.string().min(1);

/** The answer of the control interface's `GET /keys`: PEM texts. */
export const shownKeys = z.strictObject({
  walletA: z.strictObject({ merchantPublicKey: text, walletPublicKeys: z.record(text, text) }),
  walletB: z.strictObject({ appPublicKey: text, walletPublicKey: text }),
});

/** What an app gets for WALLET_A. Source: payments spec, "WALLET_A payload". */
export const walletAPayload = z.strictObject({
  appid: text,
  partnerid: text,
  prepayid: text,
  package: z.literal("Sign=WXPay"),
  noncestr: text,
  timestamp: z.int(),
  sign: text,
});

/** What an app gets for WALLET_B. Source: payments spec, "WALLET_B payload". */
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

/** Whether each of the two verifiers believes that the merchant signed it. */
export interface Proofs {
  readonly node: boolean;
  readonly sdk: boolean;
}

/** Proves a payload of WALLET_A. */
export function proveWalletA(payload: z.infer<typeof walletAPayload>, merchantPublicKey: string): Proofs {
  const { appid, timestamp, noncestr, prepayid, sign } = payload;
  const lines = Formatter.joinedByLineFeed(appid, String(timestamp), noncestr, prepayid);
  return {
    node: verified(`${appid}\n${timestamp}\n${noncestr}\n${prepayid}\n`, sign, merchantPublicKey),
    sdk: Rsa.verify(lines, sign, merchantPublicKey),
  };
}

/** Proves a payload of WALLET_B. */
export function proveWalletB(payload: z.infer<typeof walletBPayload>, appPublicKey: string): Proofs {
  const { sign, ...parameters } = payload;
  const pairs = Object.entries(parameters).map(([name, value]) => `${name}=${value}`);
  // The SDK checks what the wallet signed; here the app takes the wallet's place.
  const sdk = new AlipaySdk({ appId: payload.app_id, privateKey: "unused", alipayPublicKey: appPublicKey });
  return {
    node: verified(pairs.sort().join("&"), sign, appPublicKey),
    sdk: sdk.checkNotifySignV2({ ...payload }),
  };
}

function verified(signed: string, signature: string, pem: string): boolean {
  return verify("RSA-SHA256", Buffer.from(signed), createPublicKey(pem), Buffer.from(signature, "base64"));
}
