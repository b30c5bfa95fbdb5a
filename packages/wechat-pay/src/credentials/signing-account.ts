import type { WalletAccount } from "@tillkit/core";
import { providerOf } from "@tillkit/wallet-kit";

/** Returns the account whose keys sign: the service provider's, or the merchant's own. */
export function signingAccount(account: WalletAccount): WalletAccount {
  return providerOf(account) ?? account;
}

/** Returns the query parameter or member `sub_mchid` of a merchant with a service provider. */
export function subMerchant({ accountId, provider }: WalletAccount): { readonly sub_mchid?: string } {
  return provider === undefined ? {} : { sub_mchid: accountId };
}

/**
 * Returns the members or query parameters that name the merchant in a request.
 *
 * With a service provider, they name the provider and the merchant.
 */
export function merchantMembers({ accountId, provider }: WalletAccount): Readonly<Record<string, string>> {
  return provider === undefined
    ? { mchid: accountId }
    : { sp_mchid: provider.accountId, sub_mchid: accountId };
}

/** Returns the path of the orders, which differs for merchants with a service provider. */
export function ordersPath({ provider }: WalletAccount): string {
  return provider === undefined ? "/v3/pay/transactions" : "/v3/pay/partner/transactions";
}
