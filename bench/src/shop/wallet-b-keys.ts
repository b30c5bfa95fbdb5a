import { generateKeyPairSync, type KeyObject } from "node:crypto";

/** The keys of a merchant of WALLET_B, and of that wallet. */
export interface WalletBKeys {
  /** PEM texts for the pay tool and for the wallet's SDK. */
  readonly keys: { readonly appPrivateKey: string; readonly alipayPublicKey: string };
  /** The key that the merchant signs with. */
  readonly appKey: KeyObject;
  /** The key that the wallet signs with. */
  readonly walletKey: KeyObject;
}

/** Creates new keys for both sides. */
export function newWalletBKeys(): WalletBKeys {
  const app = generateKeyPairSync("rsa", { modulusLength: 2048 });
  const wallet = generateKeyPairSync("rsa", { modulusLength: 2048 });
  const keys = {
    appPrivateKey: app.privateKey.export({ type: "pkcs8", format: "pem" }).toString(),
    alipayPublicKey: wallet.publicKey.export({ type: "spki", format: "pem" }).toString(),
  };
  return { keys, appKey: app.privateKey, walletKey: wallet.privateKey };
}
