import type { Bench } from "../harness/bench.js";
import type { NotifiedShop } from "./fill-pending-orders.js";
import { openShop } from "./open-shop.js";
import { newWalletBKeys, type WalletBKeys } from "./wallet-b-keys.js";

/** A shop that accepts WALLET_B, and the keys of both sides. */
export interface WalletBShop extends NotifiedShop, WalletBKeys {
  readonly payChannel: "WALLET_B";
}

/** The merchant's account and application at the wallet. */
export const WALLET_B = { accountId: "2088102119685838", walletAppId: "2014072300007148" } as const;

/** Opens a shop in its own database whose app accepts WALLET_B with new keys. */
export async function openWalletBShop(bench: Bench): Promise<WalletBShop> {
  const made = newWalletBKeys();
  const shop = await openShop(await bench.database(), [
    {
      payChannel: "WALLET_B",
      ...WALLET_B,
      appEnv: "PROD",
      appName: "Bench",
      appPackageName: "",
      appSignature: "",
      credentials: made.keys,
    },
  ]);
  return { ...shop, ...made, payChannel: "WALLET_B", payToolId: shop.payToolIds[0] ?? "" };
}
