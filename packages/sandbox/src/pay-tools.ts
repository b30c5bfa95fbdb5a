import type { ConfigurePayToolInput, PayChannel } from "@tillkit/core";
import { publicKeys, type SandboxKeys } from "./keys.js";
import type { WalletACredentials } from "./wallet-a/credentials.js";
import type { WalletBCredentials } from "./wallet-b/credentials.js";

const APP = {
  appEnv: "DEV",
  appName: "Tillkit Sandbox",
  appPackageName: "com.example.tillkit",
  appSignature: "5f4dcc3b5aa765d61d8327deb882cf99",
} as const;

/** What to give `configurePayTool` so that an app takes its payments at the sandbox's wallets. Any number of apps may share it. */
export function sandboxPayTools(keys: SandboxKeys): Readonly<Record<PayChannel, ConfigurePayToolInput>> {
  const { walletA, walletB } = keys;
  const atWalletA: WalletACredentials = {
    merchantPrivateKey: walletA.merchant.privateKey,
    apiV3Key: walletA.apiV3Key,
    walletPublicKeys: JSON.stringify(publicKeys(keys).walletA.walletPublicKeys),
  };
  const atWalletB: WalletBCredentials = {
    appPrivateKey: walletB.app.privateKey,
    walletPublicKey: walletB.wallet.publicKey,
  };
  return {
    WALLET_A: {
      ...APP,
      payChannel: "WALLET_A",
      accountId: "1900000109",
      walletAppId: "wxd678efh567hg6787",
      credentials: atWalletA,
    },
    WALLET_B: {
      ...APP,
      payChannel: "WALLET_B",
      accountId: "2088102119685838",
      walletAppId: "2014072300007148",
      credentials: atWalletB,
    },
  };
}
