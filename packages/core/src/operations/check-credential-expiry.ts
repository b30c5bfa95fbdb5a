import type { ResultAsync } from "neverthrow";
import type { StorageFailure } from "../errors/failure.js";
import type { Ports } from "../ports.js";
import { emit } from "../shared/emit.js";
import { type CredentialExpiries, readCredentialExpiries } from "./read-credential-expiries.js";

/** The ports that {@link checkCredentialExpiry} uses. */
export type CredentialExpiryPorts = Pick<Ports, "payTools" | "wallets" | "clock" | "observer" | "policy">;

/**
 * Returns when the certificates and keys of every pay tool expire, including replaced pay tools.
 *
 * Emits `credentials.checked` with all expiries, and `credential.expiring` for each credential that
 * has expired or expires within `policy.credentialWarning`. Run it on a timer in each process: a
 * process knows only the certificates that it downloaded itself. The function does not call the
 * wallets.
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
): ResultAsync<CredentialExpiries, StorageFailure> {
  return readCredentialExpiries(ports).map((report) => {
    const warnedUntil = ports.clock.now() + ports.policy.credentialWarning;
    for (const { payChannel, appId, payToolId, name, expiresAt } of report.expiries) {
      if (expiresAt > warnedUntil) break;
      emit(ports, { type: "credential.expiring", payChannel, appId, payToolId, name, expiresAt });
    }
    emit(ports, { type: "credentials.checked", ...report });
    return report;
  });
}
