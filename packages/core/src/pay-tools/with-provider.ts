import { okAsync, type ResultAsync } from "neverthrow";
import type { StorageFailure } from "../errors/failure.js";
import type { WalletAccount } from "./pay-tool.js";
import type { PayToolStore } from "./pay-tool-store.js";

/**
 * Adds the account of the service provider to an account whose credentials name the provider.
 *
 * The provider's keys are stored once, in its own pay tool. If the named provider is unusable, the
 * account is returned without it, and the wallet's adapter refuses to work with the account.
 *
 * @returns the account with its provider, if it names one. Fails if the pay tools cannot be read.
 * @example
 * ```ts
 * import type { WalletAccount } from "@tillkit/core";
 * import { withProvider } from "@tillkit/core/ports";
 *
 * declare const account: WalletAccount;
 *
 * const complete = await withProvider(ports.payTools, account);
 * ```
 */
export function withProvider(
  payTools: Pick<PayToolStore, "find">,
  account: WalletAccount,
): ResultAsync<WalletAccount, StorageFailure> {
  const { provider: id } = account.credentials;
  if (id === undefined) return okAsync(account);
  return payTools.find(id).map((provider) => (fits(account, provider) ? { ...account, provider } : account));
}

function fits(
  { payChannel, appEnv }: WalletAccount,
  provider: WalletAccount | undefined,
): provider is WalletAccount {
  return (
    provider?.payChannel === payChannel &&
    provider.appEnv === appEnv &&
    provider.credentials["provider"] === undefined
  );
}

/**
 * Looks a pay tool up in the store's cache first.
 *
 * Uses a cached one only if its `signStatus` is `OK`.
 */
export function cachedFirst(payTools: Pick<PayToolStore, "find" | "getCached">): Pick<PayToolStore, "find"> {
  return {
    find: (id) => {
      const cached = payTools.getCached(id);
      return cached?.signStatus === "OK" ? okAsync(cached) : payTools.find(id);
    },
  };
}
