import { generateKeyPairSync, type KeyObject } from "node:crypto";

/** The keys of a merchant of WALLET_B, and of that wallet. */
export interface WalletBKeys {
  /** PEM, as the pay tool and the SDK of the wallet take them. */
  readonly keys: { readonly appPrivateKey: string; readonly alipayPublicKey: string };
  /** What the merchant signs with. */
  readonly appKey: KeyObject;
  /** What the wallet signs with. */
  readonly walletKey: KeyObject;
}

/** New keys of both sides. */
export function newWalletBKeys(): WalletBKeys {
  const app = generateKeyPairSync("rsa", { modulusLength: 2048 });
  const wallet = generateKeyPairSync("rsa", { modulusLength: 2048 });
  const keys = {
    appPrivateKey: app.privateKey.export({ type: "pkcs8", format: "pem" }).toString(),
    alipayPublicKey: wallet.publicKey.export({ type: "spki", format: "pem" }).toString(),
  };
  return { keys, appKey: app.privateKey, walletKey: wallet.privateKey };
}
