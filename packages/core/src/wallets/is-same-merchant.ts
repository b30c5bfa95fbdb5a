import type { WalletAccount } from "../pay-tools/pay-tool.js";
import type { WalletOrder, WalletRefund } from "./wallet.js";

/**
 * Returns whether a wallet's statement is about this merchant, through the same provider if any.
 *
 * @returns false for another merchant, another provider, a missing or an unexpected provider.
 * @example
 * ```ts
 * import { isSameMerchant, type WalletAccount, type WalletOrder } from "@tillkit/core";
 *
 * declare const account: WalletAccount;
 * declare const stated: WalletOrder;
 *
 * const isOurs = isSameMerchant(account, stated);
 * ```
 */
export function isSameMerchant(
  { accountId, provider }: WalletAccount,
  stated: Pick<WalletOrder | WalletRefund, "merchantId" | "providerId">,
): boolean {
  return stated.merchantId === accountId && stated.providerId === provider?.accountId;
}
