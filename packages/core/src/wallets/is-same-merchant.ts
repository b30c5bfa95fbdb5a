import type { WalletAccount } from "../pay-tools/pay-tool.js";
import type { WalletOrder, WalletRefund } from "./wallet.js";

/**
 * Returns whether a wallet's statement is about this merchant, through the same provider if any.
 *
 * @returns false for another merchant, another provider, a missing or an unexpected provider.
 * @example
 * ```ts
 * import type { WalletAccount } from "@tillkit/core";
 * import { isSameMerchant, type WalletOrder } from "@tillkit/core/ports";
 *
 * declare const account: WalletAccount;
 * declare const stated: WalletOrder;
 *
 * const isOurs = isSameMerchant(account, stated);
 * ```
 */
export function isSameMerchant(
  { accountId, provider }: WalletAccount,
  statement: Pick<WalletOrder | WalletRefund, "merchantId" | "providerId">,
): boolean {
  return statement.merchantId === accountId && statement.providerId === provider?.accountId;
}
