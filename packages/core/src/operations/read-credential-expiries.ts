import { err, ok, okAsync, type ResultAsync } from "neverthrow";
import type { StorageFailure } from "../errors/failure.js";
import type { WalletAccount } from "../pay-tools/pay-tool.js";
import type { Ports } from "../ports.js";
import { attempt } from "../shared/attempt.js";
import type { CredentialExpiry, PayToolCredentialExpiry, Wallet } from "../wallets/wallet.js";

/** When the credentials of the pay tools expire. */
export interface CredentialExpiries {
  /** All expiries, the earliest first. */
  readonly expiries: readonly PayToolCredentialExpiry[];
  /** The number of pay tools whose credentials could not be read from storage. */
  readonly unread: number;
}

/**
 * Reads when the certificates and keys of every pay tool expire, including replaced pay tools.
 *
 * A process knows only the certificates that it downloaded itself. The function does not call the
 * wallets.
 *
 * @returns every expiry. Fails if the pay tools cannot be listed, or if none of them can be read.
 * @example
 * ```ts
 * import { readCredentialExpiries } from "@tillkit/core";
 *
 * const read = await readCredentialExpiries(ports);
 * if (read.isOk()) console.log(read.value.expiries[0]);
 * ```
 */
export function readCredentialExpiries(
  ports: Pick<Ports, "payTools" | "wallets">,
): ResultAsync<CredentialExpiries, StorageFailure> {
  return attempt(async () => {
    const payTools = await ports.payTools.listAll();
    if (payTools.isErr()) return payTools;
    const expiries: PayToolCredentialExpiry[] = [];
    const failures: StorageFailure[] = [];
    for (const { id } of payTools.value) {
      const account = await ports.payTools.find(id);
      if (account.isErr()) failures.push(account.error);
      else if (account.value !== undefined) expiries.push(...expiriesOf(ports, account.value));
    }
    const [failure] = failures;
    if (failure !== undefined && failures.length === payTools.value.length) return err(failure);
    expiries.sort((one, other) => one.expiresAt - other.expiresAt);
    return ok({ expiries, unread: failures.length });
  });
}

/** How long {@link cachedExpiries} caches, in milliseconds. A read decrypts every pay tool. */
const REMEMBERED_FOR = 10 * 60_000;

/**
 * Returns a function that returns the expiries and caches them for ten minutes.
 *
 * @example
 * ```ts
 * import { cachedExpiries } from "@tillkit/core";
 *
 * const readExpiries = cachedExpiries(ports);
 * const expiries = await readExpiries();
 * if (expiries.isOk()) console.log(expiries.value.length);
 * ```
 * @returns the function. It does not cache a failure.
 */
export function cachedExpiries(
  ports: Pick<Ports, "payTools" | "wallets" | "clock">,
): () => ResultAsync<readonly PayToolCredentialExpiry[], StorageFailure> {
  let latest: { readonly expiries: readonly PayToolCredentialExpiry[]; readonly at: number } | undefined;
  return () => {
    const now = ports.clock.now();
    if (latest !== undefined && Math.abs(now - latest.at) < REMEMBERED_FOR) return okAsync(latest.expiries);
    return readCredentialExpiries(ports).map(({ expiries }) => {
      latest = { expiries, at: now };
      return expiries;
    });
  };
}

function expiriesOf(
  { wallets }: Pick<Ports, "wallets">,
  account: WalletAccount,
): readonly PayToolCredentialExpiry[] {
  const { id: payToolId, appId, payChannel } = account;
  return statedBy(wallets[payChannel], account).map(({ name, expiresAt }) => ({
    payToolId,
    appId,
    payChannel,
    name,
    expiresAt,
  }));
}

// An error for one account must not hide the expiries of the others.
function statedBy(wallet: Wallet, account: WalletAccount): readonly CredentialExpiry[] {
  try {
    return wallet.credentialExpiries(account);
  } catch {
    return [];
  }
}
