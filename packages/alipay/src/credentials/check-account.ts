import type { WalletAccount } from "@tillkit/core";
import type { AccountProblem } from "@tillkit/core/ports";
import { canSign, providerOf } from "@tillkit/wallet-kit";
import { type AlipayCredentialProblem, credentialProblem } from "./credential-problem.js";
import { type AlipayCredentials, parseAlipayCredentials } from "./parse-credentials.js";
import { parseSubMerchant } from "./sub-merchant.js";

/** Notifications identify the seller by this id, so a sign-in name would match no notification. */
const SELLER_ID = /^2088\d{12}$/;

/**
 * Returns what is wrong with an Alipay account, for an operator.
 *
 * The list is empty if `accountId` is the id of a seller, no option of WeChat Pay is set, every key
 * parses and matches the others, no certificate has expired, and a test signature verifies. The
 * function sends no request, so it cannot check whether Alipay knows the key. The texts contain no
 * secret.
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
  account: Pick<WalletAccount, "accountId" | "credentials" | "provider">,
  now: number,
): Promise<readonly AccountProblem[]> {
  const { accountId } = account;
  const provider = providerOf(account);
  const { shipments, appSecret: _secret, ...ofAlipay } = account.credentials;
  // The message about `shipments` also covers `appSecret`.
  const credentials = shipments === undefined ? account.credentials : ofAlipay;
  const names = [
    ...(shipments === undefined ? [] : [NO_SHIPMENTS]),
    ...(SELLER_ID.test(accountId) ? [] : [NO_SELLER_ID]),
  ];
  if (credentials["provider"] !== undefined) {
    if (provider === undefined) return [...names, accountProblem(credentialProblem("provider", "mismatch"))];
    const own = parseSubMerchant(credentials).match(
      ({ appAuthTokenEndsAt: endsAt }) =>
        endsAt !== undefined && endsAt <= now ? [credentialProblem("appAuthToken", "expired")] : [],
      (found) => found,
    );
    const ofProvider = await checkAlipayAccount(provider, now);
    return [...names, ...own.map(accountProblem), ...ofProvider.map(namingProvider)];
  }
  const read = parseAlipayCredentials(credentials);
  const problems = read.isErr() ? read.error : await problemsInUse(read.value, now);
  return [...names, ...problems.map(accountProblem)];
}

function accountProblem({
  field,
  reason,
  message: en,
  messageZh: zh,
}: AlipayCredentialProblem): AccountProblem {
  const code = reason === "provider-and-keys" ? "two-modes" : reason;
  return { code, field, message: { en, zh } };
}

/** Names the provider's pay tool in one of its problems. */
function namingProvider({ code, message: { en, zh } }: AccountProblem): AccountProblem {
  return {
    code,
    field: "provider",
    message: { en: `The pay tool of provider: ${en}`, zh: `provider 的收款配置：${zh}` },
  };
}

const NO_SHIPMENTS: AccountProblem = {
  code: "wrong-channel",
  field: "shipments",
  message: {
    en: "shipments is an option of WeChat Pay (WALLET_A) only: Alipay pays out without a report of the delivery. Remove shipments and appSecret.",
    zh: "shipments 仅适用于微信支付（WALLET_A）：支付宝结算无需上报发货信息。请移除 shipments 和 appSecret。",
  },
};

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
