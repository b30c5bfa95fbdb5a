import { randomBytes } from "node:crypto";
import { type SandboxKeys, publicKeyId } from "../keys.js";
import { serialNo } from "../shared/certificate.js";
import { ownKey, signBytes } from "../shared/rsa.js";
import { messageBytes } from "./sign.js";

/**
 * The key that signs a WeChat Pay message, and the number in `wechatpay-serial`.
 *
 * - `certificate`, `public-key`: the key of the certificate, or the downloaded key, each with its
 *   number.
 * - `retired`: a retired key with its own number.
 * - `forged-certificate`, `forged-public-key`: the retired key with the number of a valid one.
 */
export type Signing = "certificate" | "public-key" | "retired" | "forged-certificate" | "forged-public-key";

/** The headers with which WeChat Pay signs the raw body of a response or a notification. */
export type SignedHeaders = Readonly<
  Record<`wechatpay-${"timestamp" | "nonce" | "signature" | "signature-type" | "serial"}`, string>
>;

/** Signs a body at `now` (epoch milliseconds). */
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
