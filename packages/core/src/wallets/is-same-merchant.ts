import type { WalletAccount } from "../pay-tools/pay-tool.js";
import type { WalletOrder, WalletRefund } from "./wallet.js";

/** Returns whether a statement is about this merchant, through the same provider if any. */
export function isSameMerchant(
  { accountId, provider }: WalletAccount,
  stated: Pick<WalletOrder | WalletRefund, "merchantId" | "providerId">,
): boolean {
  return stated.merchantId === accountId && stated.providerId === provider?.accountId;
}
