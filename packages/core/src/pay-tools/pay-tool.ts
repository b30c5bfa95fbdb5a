/** The wallets' channels. Source: payments spec, naming note. */
export const PAY_CHANNELS = ["WALLET_A", "WALLET_B"] as const;
/** One of the two wallets' channels. */
export type PayChannel = (typeof PAY_CHANNELS)[number];

/** What an app takes payments with on one channel. Source: payments spec, "Pay-tool record". */
export interface PayTool {
  readonly id: string;
  readonly appId: string;
  /** The merchant's account at the wallet: `mchid` at WALLET_A, `seller_id` at WALLET_B. */
  readonly accountId: string;
  /** The wallet-side application id, `appid` / `app_id`. It is not the service-side `appId` and not in `/payTools.json`. */
  readonly walletAppId: string;
  readonly payChannel: PayChannel;
  /** `OK` when the stored credentials were checked and work. */
  readonly signStatus: "OK" | "NO";
  /** `DEV` talks to the wallet's sandbox gateway only, `PROD` never does. */
  readonly appEnv: "DEV" | "PROD";
  readonly appName: string;
  readonly appPackageName: string;
  readonly appSignature: string;
  readonly gmtCreate: number;
  readonly gmtModified: number;
}

/** A pay tool with the secrets its wallet needs. It never leaves the service: adapters encrypt `credentials` at rest. */
export interface WalletAccount extends PayTool {
  /** Named texts whose meaning belongs to the wallet adapter: private key, platform keys, … */
  readonly credentials: Readonly<Record<string, string>>;
}
