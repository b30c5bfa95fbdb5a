import type { ConfigurePayToolInput, PayChannel } from "@tillkit/core";
import type { SandboxPublicKeys } from "./keys.js";
import type { SandboxMerchant } from "./merchant.js";

const APP = {
  appEnv: "DEV",
  appName: "Tillkit Sandbox",
  appPackageName: "com.example.tillkit",
  appSignature: "5f4dcc3b5aa765d61d8327deb882cf99",
} as const;

/**
 * Creates the inputs of `configurePayTool` for an app that pays at the sandbox's wallets.
 *
 * Any number of apps may share them.
 */
export function sandboxPayTools(
  { walletA, walletB }: SandboxMerchant,
  keys: SandboxPublicKeys,
): Readonly<Record<PayChannel, Required<ConfigurePayToolInput>>> {
  return {
    WALLET_A: {
      ...APP,
      payChannel: "WALLET_A",
      accountId: walletA.mchid,
      walletAppId: walletA.appid,
      credentials: {
        merchantPrivateKey: walletA.merchantPrivateKey,
        apiV3Key: walletA.apiV3Key,
        merchantSerialNo: walletA.merchantSerialNo,
        platformKeys: JSON.stringify(keys.walletA.walletPublicKeys),
      },
    },
    WALLET_B: {
      ...APP,
      payChannel: "WALLET_B",
      accountId: walletB.sellerId,
      walletAppId: walletB.appId,
      credentials: { appPrivateKey: walletB.appPrivateKey, alipayPublicKey: walletB.walletPublicKey },
    },
  };
}
