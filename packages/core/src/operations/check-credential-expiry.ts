import { err, ok, type ResultAsync } from "neverthrow";
import type { StorageFailure } from "../errors/failure.js";
import type { Ports } from "../ports.js";
import { emit } from "../shared/emit.js";
import { attempt } from "../shared/attempt.js";
import type { WalletAccount } from "../pay-tools/pay-tool.js";
import type { CredentialExpiry, PayToolCredentialExpiry, Wallet } from "../wallets/wallet.js";

/** The result of a check of the credentials. */
export interface CheckedCredentials {
  /** All expiries, the earliest first. */
  readonly expiries: readonly PayToolCredentialExpiry[];
  /** The number of pay tools whose credentials could not be read from storage. */
  readonly unread: number;
}

/** The ports that {@link checkCredentialExpiry} uses. */
export type CredentialExpiryPorts = Pick<Ports, "payTools" | "wallets" | "clock" | "observer" | "policy">;

/**
 * Returns when the certificates and keys of every pay tool expire, including replaced pay tools.
 *
 * Emits `credentials.checked` with all of them, and `credential.expiring` for each one that has
 * expired or expires within `policy.credentialWarning`. Run it on a timer in each process: a
 * process knows only the certificates that it downloaded itself. It does not call the wallets.
 *
 * @returns every expiry. Fails if the pay tools cannot be listed, or if none of them can be read.
 * @example
 * ```ts
 * import { checkCredentialExpiry } from "@tillkit/core";
 *
 * const checked = await checkCredentialExpiry(ports);
 * if (checked.isOk()) console.log(checked.value.expiries[0]);
 * ```
 */
export function checkCredentialExpiry(
  ports: CredentialExpiryPorts,
): ResultAsync<CheckedCredentials, StorageFailure> {
  return attempt(async () => {
    const payToolsResult = await ports.payTools.listAll();
    if (payToolsResult.isErr()) return payToolsResult;
    const payTools = payToolsResult.value;
    const expiries: PayToolCredentialExpiry[] = [];
    const failures: StorageFailure[] = [];
    for (const { id } of payTools) {
      const found = await ports.payTools.find(id);
      if (found.isErr()) failures.push(found.error);
      else if (found.value !== undefined) expiries.push(...expiriesOf(ports, found.value));
    }
    const [failure] = failures;
    if (failure !== undefined && failures.length === payTools.length) return err(failure);
    expiries.sort((one, other) => one.expiresAt - other.expiresAt);
    const warnedUntil = ports.clock.now() + ports.policy.credentialWarning;
    for (const { payChannel, appId, payToolId, name, expiresAt } of expiries) {
      if (expiresAt > warnedUntil) break;
      emit(ports, { type: "credential.expiring", payChannel, appId, payToolId, name, expiresAt });
    }
    const unread = failures.length;
    emit(ports, { type: "credentials.checked", expiries, unread });
    return ok({ expiries, unread });
  });
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
