import type { WalletOptions } from "./wallet-options.js";

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
  /** Defaults for new orders. Not part of `/payTools.json`. Absent if there are none. */
  readonly walletOptions?: WalletOptions;
  readonly gmtCreate: number;
  readonly gmtModified: number;
}

/** A pay tool with its credentials. It stays inside Tillkit, and adapters encrypt it at rest. */
export interface WalletAccount extends PayTool {
  /**
   * Named texts that the wallet's adapter interprets, such as the private key and platform keys.
   */
  readonly credentials: Readonly<Record<string, string>>;
  /**
   * The account of the service provider, if the merchant's `credentials` name one as `provider`.
   *
   * It signs the requests of the merchant. Stores neither keep nor return it.
   */
  readonly provider?: WalletAccount;
}

/**
 * Returns whether two pay tools have the same members, including their credentials.
 *
 * For stores, which replace a pay tool only if it is still equal to the one on which a change is
 * based.
 *
 * @returns true if all members are equal. Their order does not matter.
 * @example
 * ```ts
 * import type { WalletAccount } from "@tillkit/core";
 * import { isSameAccount } from "@tillkit/core/ports";
 *
 * declare const stored: WalletAccount;
 *
 * isSameAccount(stored, { ...stored }); // true
 * ```
 */
export function isSameAccount(left: WalletAccount, right: WalletAccount): boolean {
  return accountText(left) === accountText(right);
}

/** Writes a pay tool as text that does not depend on the order of its members. */
function accountText({ credentials, ...tool }: WalletAccount): string {
  return JSON.stringify([sortedEntries(tool), sortedEntries(credentials)]);
}

function sortedEntries(members: Readonly<Record<string, unknown>> | PayTool): readonly unknown[] {
  return Object.entries(members).toSorted(([left], [right]) => (left < right ? -1 : 1));
}
