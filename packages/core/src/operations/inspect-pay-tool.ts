import type { Language, Message } from "../errors/index.js";
import type { PayTool, WalletAccount } from "../pay-tools/pay-tool.js";
import { withProvider } from "../pay-tools/with-provider.js";
import type { Ports } from "../ports.js";
import { businessDay } from "../shared/business-day.js";
import type { AccountProblemCode } from "../pay-tools/account-problem.js";
import type { CredentialExpiry, Wallet } from "../wallets/wallet.js";

/**
 * Why an operator must look at a pay tool: a code of the wallet's adapter, or one of the following.
 *
 * - `credentials-unreadable`: the stored credentials cannot be read or decrypted.
 * - `set-again`: `signStatus` is `NO`, and the stored credentials work now.
 * - `expiring`: a certificate or key expires within `policy.credentialWarning`.
 */
export type PayToolProblemCode = AccountProblemCode | "credentials-unreadable" | "set-again" | "expiring";

/** One problem of a pay tool, with its sentence in the language of the reader. */
export interface PayToolProblem {
  readonly code: PayToolProblemCode;
  readonly text: string;
}

/** The problems of a pay tool, and when its credentials expire. */
export interface InspectedPayTool {
  /** Empty if the pay tool works and no credential expires soon. */
  readonly problems: readonly PayToolProblem[];
  readonly credentials: readonly CredentialExpiry[];
  /** Each credential that the adapter knows or that is stored, and whether it is stored. */
  readonly credentialNames: readonly CredentialName[];
}

/** A credential of a pay tool, without its value. */
export interface CredentialName {
  readonly name: string;
  readonly isSet: boolean;
}

const UNREADABLE: Message = {
  en: "The stored credentials cannot be read: restore the missing key of the key file, or set the pay tool again.",
  zh: "无法读取已存储的凭据：请恢复密钥文件中缺失的密钥，或重新设置收款配置。",
};

const SET_AGAIN: Message = {
  en: "The credentials did not work when the pay tool was set, and they work now: set the pay tool again.",
  zh: "设置收款配置时凭据无法使用，但现在可以使用：请重新设置收款配置。",
};

const CHECK_FAILED: Message = {
  en: "The adapter of WeChat Pay or Alipay threw an error when it checked the credentials: report this to its maintainers.",
  zh: "支付渠道适配器检查凭据时抛出错误：请告知适配器的维护者。",
};

/**
 * Explains for an operator why a pay tool does not work, or will soon stop working.
 *
 * `signStatus` is `NO` if the adapter found problems when the pay tool was set. This function runs
 * the same check again, and checks when certificates and keys expire. It does not call the wallet.
 *
 * @returns the problems, which contain no part of a credential. Never rejects.
 * @example
 * ```ts
 * import { inspectPayTool } from "@tillkit/core/operators";
 *
 * const listed = await ports.payTools.list("app_1");
 * for (const payTool of listed.unwrapOr([]))
 *   console.log((await inspectPayTool(ports, payTool, "en")).problems);
 * ```
 */
export async function inspectPayTool(
  ports: Pick<Ports, "payTools" | "wallets" | "clock" | "policy">,
  payTool: PayTool,
  language: Language,
): Promise<InspectedPayTool> {
  const lookup = await ports.payTools.find(payTool.id);
  const row = lookup.unwrapOr(undefined);
  const complete = row && (await withProvider(ports.payTools, row));
  const account = complete?.unwrapOr(undefined);
  if (account === undefined) {
    const problem = { code: "credentials-unreadable", text: UNREADABLE[language] } as const;
    return { problems: [problem], credentials: [], credentialNames: [] };
  }
  const wallet = ports.wallets[payTool.payChannel];
  const findings = await checkedBy(wallet, account, language);
  const credentials = expiriesOf(wallet, account);
  const isStale = payTool.signStatus === "NO" && findings.length === 0;
  const problems = [
    ...findings.map(({ code, text }) => ({ code, text })),
    ...(isStale ? [{ code: "set-again", text: SET_AGAIN[language] } as const] : []),
    // Leaves out what the check has already reported as expired.
    ...credentials
      .filter(({ name }) => !findings.some(({ code, field }) => code === "expired" && field === name))
      .flatMap((expiry) => expiryProblem(ports, expiry, language)),
  ];
  const names = new Set([...wallet.credentialNames, ...Object.keys(account.credentials)]);
  const credentialNames = [...names].map((name) => ({ name, isSet: name in account.credentials }));
  return { problems, credentials, credentialNames };
}

interface CheckedProblem extends PayToolProblem {
  readonly field: string;
}

// An adapter that throws must not hide the other pay tools.
async function checkedBy(
  wallet: Wallet,
  account: WalletAccount,
  language: Language,
): Promise<readonly CheckedProblem[]> {
  try {
    const problems = await wallet.checkAccount(account);
    return problems.map(({ code, field, message }) => ({ code, field, text: message[language] }));
  } catch {
    return [{ code: "other", field: "credentials", text: CHECK_FAILED[language] }];
  }
}

function expiriesOf(wallet: Wallet, account: WalletAccount): readonly CredentialExpiry[] {
  try {
    return wallet.credentialExpiries(account).map(({ name, expiresAt }) => ({ name, expiresAt }));
  } catch {
    return [];
  }
}

function expiryProblem(
  { clock, policy }: Pick<Ports, "clock" | "policy">,
  { name, expiresAt }: CredentialExpiry,
  language: Language,
): readonly PayToolProblem[] {
  const now = clock.now();
  if (expiresAt > now + policy.credentialWarning) return [];
  const day = businessDay(policy.timeZone, expiresAt).date;
  return expiresAt <= now
    ? [{ code: "expired", text: expiredText(name, day)[language] }]
    : [{ code: "expiring", text: expiringText(name, day)[language] }];
}

function expiredText(name: string, day: string): Message {
  return {
    en: `${name} expired on ${day}: get a new one from the wallet, and set the pay tool again.`,
    zh: `${name} 已于 ${day} 过期：请从支付渠道获取新的凭据，并重新设置收款配置。`,
  };
}

function expiringText(name: string, day: string): Message {
  return {
    en: `${name} expires on ${day}: get a new one from the wallet, and set the pay tool again.`,
    zh: `${name} 将于 ${day} 过期：请从支付渠道获取新的凭据，并重新设置收款配置。`,
  };
}
