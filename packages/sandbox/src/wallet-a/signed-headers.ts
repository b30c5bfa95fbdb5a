import { randomBytes } from "node:crypto";
import { type SandboxKeys, publicKeyId } from "../keys.js";
import { serialNo } from "../shared/certificate.js";
import { ownKey, signBytes } from "../shared/rsa.js";
import { messageBytes } from "./sign.js";

/**
 * What signs a message of WALLET_A, and what it says signed it: the key in its certificate, the key that merchants download, a retired key
 * under its own number, or a stranger's under the number of one of the first two.
 */
export type Signing = "certificate" | "public-key" | "retired" | "forged-certificate" | "forged-public-key";

/** The headers with which WALLET_A signs the raw body of an answer or a notification. */
export type SignedHeaders = Readonly<
  Record<`wechatpay-${"timestamp" | "nonce" | "signature" | "signature-type" | "serial"}`, string>
>;

/** Signs a body as of `now` (epoch milliseconds). */
export async function signedHeaders(
  body: string,
  { keys, signing, now }: { readonly keys: SandboxKeys; readonly signing: Signing; readonly now: number },
): Promise<SignedHeaders> {
  const { privateKey, number } = signerOf(keys, signing);
  const timestamp = String(Math.floor(now / 1000));
  const nonce = randomBytes(16).toString("hex");
  return {
    "wechatpay-timestamp": timestamp,
    "wechatpay-nonce": nonce,
    "wechatpay-signature": await signBytes(
      messageBytes(timestamp, nonce, Buffer.from(body)),
      ownKey(privateKey),
    ),
    "wechatpay-signature-type": "WECHATPAY2-SHA256-RSA2048",
    "wechatpay-serial": number,
  };
}

function signerOf(
  { walletA: { wallet, downloaded }, retired }: SandboxKeys,
  signing: Signing,
): { readonly privateKey: string; readonly number: string } {
  switch (signing) {
    case "certificate":
      return { privateKey: wallet.privateKey, number: serialNo(wallet.publicKey) };
    case "public-key":
      return { privateKey: downloaded.privateKey, number: publicKeyId(downloaded.publicKey) };
    case "retired":
      return { privateKey: retired.privateKey, number: serialNo(retired.publicKey) };
    case "forged-certificate":
      return { privateKey: retired.privateKey, number: serialNo(wallet.publicKey) };
    case "forged-public-key":
      return { privateKey: retired.privateKey, number: publicKeyId(downloaded.publicKey) };
  }
}
