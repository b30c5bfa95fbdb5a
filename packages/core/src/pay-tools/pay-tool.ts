/** The payment channels: WALLET_A is WeChat Pay, WALLET_B is Alipay. */
export const PAY_CHANNELS = ["WALLET_A", "WALLET_B"] as const;
/** One of {@link PAY_CHANNELS}. */
export type PayChannel = (typeof PAY_CHANNELS)[number];

/** An app's merchant account on one channel, without its credentials. */
export interface PayTool {
  readonly id: string;
  readonly appId: string;
  /** The merchant's account at the wallet: `mchid` at WeChat Pay, `seller_id` at Alipay. */
  readonly accountId: string;
  /**
   * The wallet's id of the application: `appid` at WeChat Pay, `app_id` at Alipay.
   *
   * It differs from the `appId` of Tillkit and is not part of `/payTools.json`.
   */
  readonly walletAppId: string;
  readonly payChannel: PayChannel;
  /** `OK` if the stored credentials were checked and work. */
  readonly signStatus: "OK" | "NO";
  /** `DEV` calls only the test gateway of the adapter, `PROD` only the real one. */
  readonly appEnv: "DEV" | "PROD";
  readonly appName: string;
  readonly appPackageName: string;
  readonly appSignature: string;
  readonly gmtCreate: number;
  readonly gmtModified: number;
}

/** A pay tool with its credentials. It stays inside Tillkit, and adapters encrypt it at rest. */
export interface WalletAccount extends PayTool {
  /**
   * Named texts that the wallet's adapter interprets, such as the private key and platform keys.
   */
  readonly credentials: Readonly<Record<string, string>>;
}
