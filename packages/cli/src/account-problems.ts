import { type Policy, type Ports, testAccount } from "@tillkit/core";
import { type PostgresStorage, readAccounts, type StoredAccount } from "@tillkit/postgres";
import { type ResultAsync } from "neverthrow";
import { type CliFailure, coreFailure } from "./failure.js";
import type { Finding } from "./doctor-finding.js";
import { gatewayRemedy } from "./wallets.js";

/** When a credential counts as expiring: `credentialWarning` milliseconds before its end. */
export interface ExpiryLimits {
  /** Epoch milliseconds. */
  readonly now: number;
  readonly policy: Pick<Policy, "credentialWarning">;
}

/** What a check of credentials found. */
export interface CheckedAccounts {
  /** The number of pay tools that were checked, replaced ones included. */
  readonly checked: number;
  /** The number of current pay tools with `appEnv` `DEV`. */
  readonly simulated: number;
  readonly findings: readonly Finding[];
}

/**
 * Returns the problems that keep a pay tool's credentials from being used, now or soon.
 *
 * Sends no request to a wallet.
 *
 * @param wallets - checks the keys inside the credentials. If `undefined`, only decryption is
 *   checked.
 */
export function accountProblems(
  storage: PostgresStorage,
  wallets: Ports["wallets"] | undefined,
  limits: ExpiryLimits,
): ResultAsync<CheckedAccounts, CliFailure> {
  return eachAccount(storage, async (stored) => {
    const problems = await problemsOf(stored, wallets);
    return problems.length > 0 || wallets === undefined ? problems : expiriesOf(stored, wallets, limits);
  });
}

/**
 * Checks credentials like {@link accountProblems}, and sends a test request to each gateway.
 *
 * Sends no request for an account that already has a problem.
 */
export function gatewayProblems(
  storage: PostgresStorage,
  ports: Parameters<typeof testAccount>[0] & Pick<Ports, "policy">,
): ResultAsync<CheckedAccounts, CliFailure> {
  return eachAccount(storage, async (stored) => {
    const problems = await problemsOf(stored, ports.wallets);
    if (problems.length > 0) return problems;
    const refusal = await refusalOf(stored, ports);
    // The gateway call may have downloaded the certificate that replaces an expiring one.
    const limits = { now: ports.clock.now(), policy: ports.policy };
    return [...refusal, ...expiriesOf(stored, ports.wallets, limits)];
  });
}

function eachAccount(
  storage: PostgresStorage,
  look: (stored: StoredAccount) => Promise<readonly Finding[]>,
): ResultAsync<CheckedAccounts, CliFailure> {
  return readAccounts(storage)
    .mapErr(coreFailure)
    .map(async (accounts) => ({
      checked: accounts.length,
      simulated: accounts.filter(({ current, payTool }) => current && payTool.appEnv === "DEV").length,
      findings: (await Promise.all(accounts.map(look))).flat(),
    }));
}

async function refusalOf(
  stored: StoredAccount,
  ports: Parameters<typeof testAccount>[0],
): Promise<readonly Finding[]> {
  if (stored.account === undefined) return [];
  const result = await testAccount(ports, stored.account);
  if (result.isOk()) return [];
  const { name, detail } = result.error;
  const subject = stored.payTool.id;
  return [
    name === "wallet.rejected"
      ? {
          kind: "gateway-refused",
          subject,
          message: `The wallet refuses ${nameOf(stored)}: ${detail}.`,
          fix: "Compare the merchant number, the app id and the keys with the wallet's console, and correct the pay tool with `tillkit pay-tools set`.",
        }
      : {
          kind: "gateway-unreachable",
          subject,
          message: `The wallet gave no definite response for ${nameOf(stored)}: ${detail}.`,
          fix: "Check that this machine can reach the wallet's gateway, that its clock is right, and that the pay tool has the wallet's current public keys. Then repeat the check.",
        },
  ];
}

function expiriesOf(
  stored: StoredAccount,
  wallets: Ports["wallets"],
  { now, policy }: ExpiryLimits,
): readonly Finding[] {
  const { account, payTool } = stored;
  if (account === undefined) return [];
  return wallets[payTool.payChannel]
    .credentialExpiries(account)
    .filter(({ expiresAt }) => expiresAt <= now + policy.credentialWarning)
    .map(({ name, expiresAt }) => {
      const day = new Date(expiresAt).toISOString().slice(0, 10);
      return {
        kind: "credential-expiring",
        subject: payTool.id,
        message: `The credential ${name} of ${nameOf(stored)} ${expiresAt <= now ? "expired" : "expires"} on ${day}.`,
        fix:
          FIXES[name] ?? "Get the new credential from the wallet and store it with `tillkit pay-tools set`.",
      };
    });
}

/** The fix for an expiring credential if hosts download the new credential. */
const DOWNLOADED =
  "Hosts download the new one when the wallet starts to use it. To install it earlier, get it from the wallet and store it with `tillkit pay-tools set`.";
const FIXES: Readonly<Record<string, string>> = { platformKeys: DOWNLOADED, alipayCertificate: DOWNLOADED };

function nameOf({ payTool: { id, appId, payChannel }, current }: StoredAccount): string {
  return `the ${current ? "" : "replaced "}pay tool ${id} of ${appId} (${payChannel})`;
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
        message: `No credential key of the key file decrypts the credentials of ${which}: it can neither take nor refund payments.`,
        fix: "Restore the missing credential key in the key file, or set the pay tool again with `tillkit pay-tools set`.",
      },
    ];
  const problems = (await wallets?.[payChannel].checkAccount(account)) ?? [];
  return problems.map(({ code, message }) =>
    code === "no-gateway"
      ? {
          kind: "gateway-missing",
          subject: id,
          message: `This command has no gateway for ${which}, whose appEnv is DEV.`,
          fix: `${gatewayRemedy(payChannel)}.`,
        }
      : {
          kind: "credentials-unusable",
          subject: id,
          message: `The credentials of ${which} do not work: ${message.en}.`,
          fix: "Correct the credentials and store them with `tillkit pay-tools set`.",
        },
  );
}
