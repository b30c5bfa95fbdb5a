import type { Ports } from "@tillkit/core";
import { type PostgresStorage, readAccounts, type StoredAccount } from "@tillkit/postgres";
import { type ResultAsync } from "neverthrow";
import { type CliFailure, coreFailure } from "./failure.js";
import type { Finding } from "./finding.js";

/** Everything that keeps the credentials of a pay tool from being used; without `wallets` only whether they decrypt. */
export function accountProblems(
  storage: PostgresStorage,
  wallets: Ports["wallets"] | undefined,
): ResultAsync<readonly Finding[], CliFailure> {
  return readAccounts(storage)
    .mapErr(coreFailure)
    .map(async (accounts) => {
      const problems = await Promise.all(accounts.map((stored) => problemsOf(stored, wallets)));
      return problems.flat();
    });
}

async function problemsOf(
  { payTool, current, account }: StoredAccount,
  wallets: Ports["wallets"] | undefined,
): Promise<readonly Finding[]> {
  const { id, appId, payChannel } = payTool;
  const which = `The ${current ? "" : "replaced "}pay tool ${id} of ${appId} (${payChannel})`;
  if (account === undefined)
    return [
      {
        kind: "credentials-sealed",
        subject: id,
        message: `${which} has credentials that do not decrypt under any credential key of the key file: it can neither take nor refund payments.`,
        fix: "Put the credential key that is missing back into the key file, or set the pay tool anew with `tillkit pay-tools set`.",
      },
    ];
  const problems = (await wallets?.[payChannel].checkAccount(account)) ?? [];
  return problems.map((problem) => ({
    kind: "credentials-unusable",
    subject: id,
    message: `${which} has credentials that do not work: ${problem}.`,
    fix: "Correct them and set the pay tool anew with `tillkit pay-tools set`.",
  }));
}
