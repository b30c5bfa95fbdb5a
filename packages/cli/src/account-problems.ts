import { askGateway, defaultPolicy, type Ports } from "@tillkit/core";
import { type PostgresStorage, readAccounts, type StoredAccount } from "@tillkit/postgres";
import { type ResultAsync } from "neverthrow";
import { type CliFailure, coreFailure } from "./failure.js";
import type { Finding } from "./finding.js";

/**
 * Returns the problems that keep a pay tool's credentials from being used, now or soon.
 *
 * Sends no request to a wallet.
 *
 * @param wallets - checks the keys inside the credentials. If `undefined`, only decryption is
 *   checked.
 * @param now - epoch milliseconds.
 */
export function accountProblems(
  storage: PostgresStorage,
  wallets: Ports["wallets"] | undefined,
  now: number,
): ResultAsync<readonly Finding[], CliFailure> {
  return eachAccount(storage, async (stored) => {
    const problems = await problemsOf(stored, wallets);
    return problems.length > 0 || wallets === undefined ? problems : expiriesOf(stored, wallets, now);
  });
}

/**
 * Checks credentials like {@link accountProblems}, and sends a test request to each gateway.
 *
 * Sends no request for an account that already has a problem.
 */
export function gatewayProblems(
  storage: PostgresStorage,
  ports: Parameters<typeof askGateway>[0],
): ResultAsync<readonly Finding[], CliFailure> {
  return eachAccount(storage, async (stored) => {
    const problems = await problemsOf(stored, ports.wallets);
    if (problems.length > 0) return problems;
    const refusal = await refusalOf(stored, ports);
    // The gateway's answer may have brought the successor of a certificate that expires.
    return [...refusal, ...expiriesOf(stored, ports.wallets, ports.clock.now())];
  });
}

function eachAccount(
  storage: PostgresStorage,
  look: (stored: StoredAccount) => Promise<readonly Finding[]>,
): ResultAsync<readonly Finding[], CliFailure> {
  return readAccounts(storage)
    .mapErr(coreFailure)
    .map(async (accounts) => (await Promise.all(accounts.map(look))).flat());
}

async function refusalOf(
  stored: StoredAccount,
  ports: Parameters<typeof askGateway>[0],
): Promise<readonly Finding[]> {
  if (stored.account === undefined) return [];
  const result = await askGateway(ports, stored.account);
  if (result.isOk()) return [];
  const { name, detail } = result.error;
  const subject = stored.payTool.id;
  return [
    name === "wallet.rejected"
      ? {
          kind: "gateway-refused",
          subject,
          message: `${nameOf(stored)} is refused by its wallet: ${detail}.`,
          fix: "Look at the merchant number, the app id and the keys in the wallet's own console, and set the pay tool anew with `tillkit pay-tools set`.",
        }
      : {
          kind: "gateway-unreachable",
          subject,
          message: `${nameOf(stored)} could not be tried at its wallet: ${detail}.`,
          fix: "See that this machine reaches the wallet's gateway and that its clock is right, and that the wallet's own keys are those it signs with now; then check again.",
        },
  ];
}

function expiriesOf(stored: StoredAccount, wallets: Ports["wallets"], now: number): readonly Finding[] {
  const { account, payTool } = stored;
  if (account === undefined) return [];
  return wallets[payTool.payChannel]
    .credentialExpiries(account)
    .filter(({ expiresAt }) => expiresAt <= now + defaultPolicy.credentialWarning)
    .map(({ name, expiresAt }) => {
      const day = new Date(expiresAt).toISOString().slice(0, 10);
      return {
        kind: "credential-expiring",
        subject: payTool.id,
        message: `${nameOf(stored)} has the credential ${name}, which ${expiresAt <= now ? "ended" : "ends"} on ${day}.`,
        fix:
          FIXES[name] ??
          "Get the new one from the wallet and set the pay tool anew with `tillkit pay-tools set`.",
      };
    });
}

/** The fix for an expiring credential whose successor hosts download themselves. */
const DOWNLOADED =
  "Hosts download the new one when the wallet uses it. To have it before, get it from the wallet and set the pay tool anew with `tillkit pay-tools set`.";
const FIXES: Readonly<Record<string, string>> = { platformKeys: DOWNLOADED, alipayCertificate: DOWNLOADED };

function nameOf({ payTool: { id, appId, payChannel }, current }: StoredAccount): string {
  return `The ${current ? "" : "replaced "}pay tool ${id} of ${appId} (${payChannel})`;
}

async function problemsOf(
  stored: StoredAccount,
  wallets: Ports["wallets"] | undefined,
): Promise<readonly Finding[]> {
  const { id, payChannel } = stored.payTool;
  const which = nameOf(stored);
  const { account } = stored;
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
