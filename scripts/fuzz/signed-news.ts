import { createPrivateKey, sign } from "node:crypto";
import type { SandboxKeys } from "@tillkit/sandbox";
import { serialNo } from "../../packages/sandbox/src/shared/certificate.js";
import { messageBytes, seal } from "../../packages/sandbox/src/wallet-a/sign.js";
import { notificationText, type Parameters } from "../../packages/sandbox/src/wallet-b/sign.js";
import { percent } from "./requests.js";

/** A notification on its way. */
export interface News {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array;
}

/** Signs for the wallets. */
export interface Signers {
  /** A notification of WALLET_A that tells `text`; `change` is done to its body before the body is signed. */
  walletA(event: string, text: Uint8Array, now: number, change?: (body: Uint8Array) => Uint8Array): News;
  /** A notification of WALLET_B. */
  walletB(facts: Parameters): News;
}

/** Signs with the keys of a sandbox's wallets, as the sandbox does, but whatever it is given. */
export function signersOf({ walletA, walletB }: SandboxKeys): Signers {
  const [keyA, keyB] = [walletA.wallet, walletB.wallet].map(({ privateKey }) => createPrivateKey(privateKey));
  if (keyA === undefined || keyB === undefined) throw new Error("A sandbox has the keys of both wallets.");
  const serial = serialNo(walletA.wallet.publicKey);
  return {
    walletA: (event, text, now, change = (body) => body) => {
      const nonce = "0123456789ab";
      const ciphertext = seal(walletA.apiV3Key, nonce, "transaction", Buffer.from(text).toString("utf8"));
      const resource = { algorithm: "AEAD_AES_256_GCM", ciphertext, associated_data: "transaction", nonce };
      const envelope = { id: "notice-1", resource_type: "encrypt-resource", event_type: event, resource };
      const body = change(new Uint8Array(Buffer.from(JSON.stringify(envelope))));
      const timestamp = String(Math.floor(now / 1_000));
      return {
        body,
        headers: {
          "content-type": "application/json",
          "wechatpay-timestamp": timestamp,
          "wechatpay-nonce": nonce,
          "wechatpay-signature": sign("RSA-SHA256", messageBytes(timestamp, nonce, body), keyA).toString(
            "base64",
          ),
          "wechatpay-signature-type": "WECHATPAY2-SHA256-RSA2048",
          "wechatpay-serial": serial,
        },
      };
    },
    walletB: (facts) => {
      const signature = sign("RSA-SHA256", Buffer.from(notificationText(facts)), keyB).toString("base64");
      const form = Object.entries(facts)
        .map(([name, value]) => `${percent(name)}=${percent(value)}`)
        .join("&");
      return {
        headers: { "content-type": "application/x-www-form-urlencoded; charset=utf-8" },
        body: new Uint8Array(Buffer.from(`${form}&sign=${percent(signature)}`)),
      };
    },
  };
}
