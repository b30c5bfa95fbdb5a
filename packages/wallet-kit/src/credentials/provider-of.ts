import type { WalletAccount } from "@tillkit/core";

/**
 * Returns the account of the service provider that signs for a merchant.
 *
 * Ignores a provider that the credentials of the merchant do not name.
 *
 * @returns the provider's account, or `undefined` if the merchant signs with its own keys.
 * @example
 * ```ts
 * import type { WalletAccount } from "@tillkit/core";
 * import { providerOf } from "@tillkit/wallet-kit";
 *
 * declare const account: WalletAccount;
 *
 * const signer = providerOf(account) ?? account;
 * ```
 */
export function providerOf({
  credentials,
  provider,
}: Pick<WalletAccount, "credentials" | "provider">): WalletAccount | undefined {
  return provider !== undefined && credentials["provider"] === provider.id ? provider : undefined;
}
