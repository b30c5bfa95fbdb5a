import { generateKeyPairSync, type KeyObject } from "node:crypto";
import type { Bench } from "../harness/bench.js";
import { openShop, type Shop } from "./open-shop.js";

/** A shop that takes WALLET_B, and the keys of both sides. */
export interface WalletBShop extends Shop {
  readonly payToolId: string;
  /** PEM, as the pay tool and the SDK of the wallet take them. */
  readonly keys: { readonly appPrivateKey: string; readonly alipayPublicKey: string };
  /** What the wallet signs with. */
  readonly walletKey: KeyObject;
}

/** The merchant and its application at the wallet. */
export const WALLET_B = { accountId: "2088102119685838", walletAppId: "2014072300007148" } as const;

/** A shop in a database of its own whose app takes WALLET_B with new keys. */
export async function openWalletBShop(bench: Bench): Promise<WalletBShop> {
  const app = generateKeyPairSync("rsa", { modulusLength: 2048 });
  const wallet = generateKeyPairSync("rsa", { modulusLength: 2048 });
  const keys = {
    appPrivateKey: app.privateKey.export({ type: "pkcs8", format: "pem" }).toString(),
    alipayPublicKey: wallet.publicKey.export({ type: "spki", format: "pem" }).toString(),
  };
  const shop = await openShop(await bench.database(), [
    {
      payChannel: "WALLET_B",
      ...WALLET_B,
      appEnv: "PROD",
      appName: "Bench",
      appPackageName: "",
      appSignature: "",
      credentials: keys,
    },
  ]);
  return { ...shop, payToolId: shop.payToolIds[0] ?? "", keys, walletKey: wallet.privateKey };
}
