import type { WalletAccount } from "@tillkit/core";
import { providerOf } from "@tillkit/wallet-kit";

/** Returns the mini-program's secret: the merchant's, or that of a provider with the same app. */
export function appSecretOf(
  account: Pick<WalletAccount, "walletAppId" | "credentials" | "provider">,
): string | undefined {
  const provider = providerOf(account);
  const own = account.credentials["appSecret"];
  if (own !== undefined || provider === undefined) return own;
  return provider.walletAppId === account.walletAppId ? provider.credentials["appSecret"] : undefined;
}
