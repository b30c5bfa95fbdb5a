import type { AccountProblem, WalletAccount } from "@tillkit/core";
import { canSign } from "@tillkit/wallet-kit";
import { credentialProblem } from "./credential-problem.js";
import { type AlipayCredentials, parseAlipayCredentials } from "./parse-credentials.js";

/** Notifications identify the seller by this id, so a sign-in name would match no notification. */
const SELLER_ID = /^2088\d{12}$/;

/**
 * Returns what is wrong with an Alipay account, for an operator.
 *
 * The list is empty if every key parses and matches the others, no certificate has expired, and a
 * test signature verifies. The function sends no request, so it cannot check whether Alipay knows
 * the key. The texts contain no secret.
 *
 * @param now - Epoch milliseconds, for the validity of the certificates.
 * @returns the problems, or an empty list.
 * @example
 * ```ts
 * import { checkAlipayAccount } from "@tillkit/alipay";
 *
 * const account = { accountId: "2088000000000000", credentials: {} };
 * const problems = await checkAlipayAccount(account, Date.now());
 * for (const { message } of problems) console.error(message.en);
 * ```
 */
export async function checkAlipayAccount(
  { accountId, credentials }: Pick<WalletAccount, "accountId" | "credentials">,
  now: number,
): Promise<readonly AccountProblem[]> {
  const names = SELLER_ID.test(accountId) ? [] : [NO_SELLER_ID];
  const read = parseAlipayCredentials(credentials);
  const problems = read.isErr() ? read.error : await problemsInUse(read.value, now);
  return [
    ...names,
    ...problems.map(({ field, reason, message: en, messageZh: zh }) => ({
      ...{ code: reason, field, message: { en, zh } },
    })),
  ];
}

const NO_SELLER_ID: AccountProblem = {
  code: "malformed",
  field: "accountId",
  message: {
    en: "accountId is not a seller's id (PID). Wanted: the sixteen digits that begin with 2088.",
    zh: "accountId 不是卖家 ID（PID）。应为：以 2088 开头的十六位数字。",
  },
};

async function problemsInUse({ appKey, certificates }: AlipayCredentials, now: number) {
  const expired = (field: "appCertificate" | "alipayCertificate") =>
    certificates !== undefined && certificates.endsAt[field] <= now
      ? [credentialProblem(field, "expired")]
      : [];
  return [
    ...expired("appCertificate"),
    ...expired("alipayCertificate"),
    ...((await canSign(appKey)) ? [] : [credentialProblem("appPrivateKey", "unreadable")]),
  ];
}
