import { generateKeyPairSync, type KeyObject, randomBytes } from "node:crypto";
import type { Bench } from "../harness/bench.js";
import type { NotifiedShop } from "./fill-pending-orders.js";
import { openShop } from "./open-shop.js";

/** A shop that accepts WeChat Pay, and the keys that its wallet uses. */
export interface WalletAShop extends NotifiedShop {
  readonly payChannel: "WALLET_A";
  readonly apiV3Key: string;
  /** The key that the wallet signs with. */
  readonly walletKey: KeyObject;
  /** The same key for the merchant, as PEM. */
  readonly walletPublicKey: string;
}

/** The merchant's account and application at the wallet, and the id of the wallet's key. */
export const WALLET_A = {
  accountId: "1900000109",
  walletAppId: "wxd678efh567hg6787",
  keyId: "PUB_KEY_ID_0116845642012026112000388200000001",
} as const;

const MODULUS_LENGTH = 2_048;

/** Opens a shop in its own database whose app accepts WeChat Pay with new keys. */
export async function openWalletAShop(bench: Bench): Promise<WalletAShop> {
  const merchant = generateKeyPairSync("rsa", { modulusLength: MODULUS_LENGTH });
  const wallet = generateKeyPairSync("rsa", { modulusLength: MODULUS_LENGTH });
  const apiV3Key = randomBytes(16).toString("hex");
  const walletPublicKey = wallet.publicKey.export({ type: "spki", format: "pem" }).toString();
  const { accountId, walletAppId, keyId } = WALLET_A;
  const shop = await openShop(await bench.database(), [
    {
      payChannel: "WALLET_A",
      accountId,
      walletAppId,
      appEnv: "PROD",
      appName: "Bench",
      appPackageName: "",
      appSignature: "",
      credentials: {
        merchantPrivateKey: merchant.privateKey.export({ type: "pkcs8", format: "pem" }).toString(),
        apiV3Key,
        merchantSerialNo: randomBytes(20).toString("hex").toUpperCase(),
        platformKeys: JSON.stringify({ [keyId]: walletPublicKey }),
      },
    },
  ]);
  const keys = { apiV3Key, walletKey: wallet.privateKey, walletPublicKey };
  return { ...shop, ...keys, payChannel: "WALLET_A", payToolId: shop.payToolIds[0] ?? "" };
}
