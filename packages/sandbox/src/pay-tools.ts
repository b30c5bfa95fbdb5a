import type { ConfigurePayToolInput, PayChannel } from "@tillkit/core";
import type { SandboxPublicKeys } from "./keys.js";
import { SUB_MERCHANTS, type SandboxMerchant } from "./merchant.js";

const APP = {
  appEnv: "DEV",
  appName: "Tillkit Sandbox",
  appPackageName: "com.example.tillkit",
  appSignature: "5f4dcc3b5aa765d61d8327deb882cf99",
} as const;

/** The input of `configurePayTool` for a pay tool of the sandbox, without default options. */
export type SandboxPayTool = Required<Omit<ConfigurePayToolInput, "walletOptions">>;

/**
 * Creates the inputs of `configurePayTool` for the sandbox's two sub-merchants.
 *
 * Add `provider` to their credentials: the id of the pay tool of the sandbox's merchant.
 */
export function subMerchantPayTools(): readonly Readonly<Record<PayChannel, SandboxPayTool>>[] {
  return SUB_MERCHANTS.map(({ walletA, walletB: { sellerId, appId, appAuthToken } }) => ({
    WALLET_A: {
      ...APP,
      payChannel: "WALLET_A",
      accountId: walletA.mchid,
      walletAppId: walletA.appid,
      credentials: {},
    },
    WALLET_B: {
      ...APP,
      payChannel: "WALLET_B",
      accountId: sellerId,
      walletAppId: appId,
      credentials: { appAuthToken },
    },
  }));
}

/**
 * Creates the inputs of `configurePayTool` for an app that pays at the sandbox's wallets.
 *
 * Any number of apps may share them.
 */
export function sandboxPayTools(
  { walletA, walletB }: SandboxMerchant,
  keys: SandboxPublicKeys,
): Readonly<Record<PayChannel, SandboxPayTool>> {
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
