import type { StorageFailure } from "@tillkit/core/errors";
import { readAccounts } from "@tillkit/postgres";
import type { ResultAsync } from "neverthrow";

/**
 * Returns why the key file cannot be the one of this database, in one line, or `undefined`.
 *
 * It cannot be if it decrypts none of the credentials of the pay tools. If it decrypts some, the
 * host starts, because the other pay tools can still take payments.
 */
export function keyProblem(
  storage: Parameters<typeof readAccounts>[0],
  keyringFile: string,
): ResultAsync<string | undefined, StorageFailure> {
  return readAccounts(storage).map((accounts) => {
    if (accounts.length === 0 || accounts.some(({ account }) => account !== undefined)) return undefined;
    return `No key of ${keyringFile} decrypts the credentials of the pay tools (${accounts.length}): restore the key file of this database, or set a pay tool again with \`tillkit pay-tools set\`.`;
  });
}
