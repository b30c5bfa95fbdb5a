import { createPrivateKey, sign } from "node:crypto";
import type { SandboxKeys } from "@tillkit/sandbox";
import { serialNo } from "../../../sandbox/src/shared/certificate.js";
import { messageBytes, seal } from "../../../sandbox/src/wechat-pay/sign.js";
import { notificationText, type SignedParameters } from "../../../sandbox/src/alipay/sign.js";
import { percent } from "./requests.js";

/** A message of a wallet. */
export interface WalletMessage {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array;
}

/** Signs any content as the wallets of a sandbox. */
export interface Signers {
  /** Signs a notification or a response of WeChat Pay. */
  readonly walletA: (body: Uint8Array, now: number) => WalletMessage;
  /** Returns the body of a WeChat Pay notification that contains the encrypted text. */
  readonly sealedByA: (event: string, text: Uint8Array) => Uint8Array;
  /** Returns the signature of Alipay over a text, in base64. */
  readonly signatureOfB: (text: Uint8Array) => string;
  /** Signs a notification of Alipay. */
  readonly walletB: (facts: SignedParameters) => WalletMessage;
}

const NONCE = "0123456789ab";

/** Creates signers with the keys of a sandbox. */
export function signersOf({ walletA, walletB }: SandboxKeys): Signers {
  const keyA = createPrivateKey(walletA.wallet.privateKey);
  const keyB = createPrivateKey(walletB.wallet.privateKey);
  const serial = serialNo(walletA.wallet.publicKey);
  const signatureOfB: Signers["signatureOfB"] = (text) => sign("RSA-SHA256", text, keyB).toString("base64");
  return {
    walletA: (body, now) => {
      const timestamp = String(Math.floor(now / 1_000));
      const signature = sign("RSA-SHA256", messageBytes(timestamp, NONCE, body), keyA).toString("base64");
      const headers = {
        "content-type": "application/json",
        "wechatpay-timestamp": timestamp,
        "wechatpay-nonce": NONCE,
        "wechatpay-signature": signature,
        "wechatpay-signature-type": "WECHATPAY2-SHA256-RSA2048",
        "wechatpay-serial": serial,
      };
      return { body, headers };
    },
    sealedByA: (event, text) => {
      const ciphertext = seal(walletA.apiV3Key, NONCE, "transaction", Buffer.from(text).toString("utf8"));
      const resource = {
        algorithm: "AEAD_AES_256_GCM",
        ciphertext,
        associated_data: "transaction",
        nonce: NONCE,
      };
      const notification = { id: "notice-1", resource_type: "encrypt-resource", event_type: event, resource };
      return new Uint8Array(Buffer.from(JSON.stringify(notification)));
    },
    signatureOfB,
    walletB: (facts) => {
      const signed = { ...facts, sign: signatureOfB(Buffer.from(notificationText(facts))) };
      const form = Object.entries(signed).map(([name, value]) => `${percent(name)}=${percent(value)}`);
      const headers = { "content-type": "application/x-www-form-urlencoded; charset=utf-8" };
      return { headers, body: new Uint8Array(Buffer.from(form.join("&"))) };
    },
  };
}
