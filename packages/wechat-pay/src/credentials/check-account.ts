import type { WalletAccount } from "@tillkit/core";
import type { AccountProblem } from "@tillkit/core/ports";
import { canSign, providerOf } from "@tillkit/wallet-kit";
import { appSecretOf } from "./app-secret.js";
import { accountProblem, credentialProblem, type ProblemText } from "./credential-problem.js";
import { parseWechatPayCredentials } from "./parse-credentials.js";
import { shipmentsOption } from "./shipments-option.js";

/**
 * Returns what is wrong with a WeChat Pay account, for an operator.
 *
 * The list is empty if the credentials parse and match each other, and if a test signature
 * verifies. The function sends no request. The texts contain no secret.
 *
 * @param now - Epoch milliseconds, for the validity of the merchant certificate.
 * @returns the problems, or an empty list.
 * @example
 * ```ts
 * import { checkWechatPayAccount } from "@tillkit/wechat-pay";
 *
 * const account = { accountId: "1900000001", walletAppId: "wx0000000000000001", credentials };
 * const problems = await checkWechatPayAccount(account, Date.now());
 * ```
 */
export async function checkWechatPayAccount(
  account: Pick<WalletAccount, "accountId" | "walletAppId" | "credentials" | "provider">,
  now: number,
): Promise<readonly AccountProblem[]> {
  const { accountId, walletAppId, credentials } = account;
  const names = [
    /^\d{8,32}$/.test(accountId) ? [] : [MALFORMED.accountId],
    /^wx[0-9A-Za-z]{1,30}$/.test(walletAppId) ? [] : [MALFORMED.walletAppId],
  ].flat();
  const provider = providerOf(account);
  if (provider !== undefined) {
    const hasKeys = Object.keys(credentials).some((name) => !OF_SUB_MERCHANTS.has(name));
    const own = hasKeys ? [accountProblem(credentialProblem("provider", KEYS_TOO))] : [];
    const option = shipmentsOption(credentials, appSecretOf(account) !== undefined).match(
      () => [],
      (found) => found.map(accountProblem),
    );
    const problems = await checkWechatPayAccount(provider, now);
    return [...names, ...own, ...option, ...problems.map(ofProvider)];
  }
  const read = parseWechatPayCredentials(credentials);
  if (read.isErr()) return [...names, ...read.error.map(accountProblem)];
  const { merchantKey, merchantCertificate } = read.value;
  const valid =
    merchantCertificate === undefined ||
    (Date.parse(merchantCertificate.validFrom) <= now && now < Date.parse(merchantCertificate.validTo));
  return [
    names,
    (await canSign(merchantKey)) ? [] : [accountProblem(credentialProblem("merchantPrivateKey", DAMAGED))],
    valid ? [] : [accountProblem(credentialProblem("merchantCertificate", EXPIRED))],
  ].flat();
}

/** The names of credentials that a merchant with a service provider may have. */
const OF_SUB_MERCHANTS: ReadonlySet<string> = new Set(["provider", "shipments", "appSecret"]);

/** Names the provider's pay tool in one of its problems. */
function ofProvider({ code, message: { en, zh } }: AccountProblem): AccountProblem {
  return {
    code,
    field: "provider",
    message: { en: `the pay tool of provider: ${en}`, zh: `provider 的收款配置：${zh}` },
  };
}

const MALFORMED = {
  accountId: {
    code: "malformed",
    field: "accountId",
    message: {
      en: "accountId is not a merchant number (mchid): 8 to 32 digits",
      zh: "accountId 不是商户号（mchid），应为 8 至 32 位数字",
    },
  },
  walletAppId: {
    code: "malformed",
    field: "walletAppId",
    message: {
      en: "walletAppId is not a WeChat app id, which starts with wx",
      zh: "walletAppId 不是以 wx 开头的微信 appid",
    },
  },
} as const satisfies Readonly<Record<string, AccountProblem>>;

const DAMAGED: ProblemText = {
  code: "damaged",
  en: "is damaged: its public half does not verify its signature; issue a new key",
  zh: "已损坏：其公钥无法验证其签名，请重新签发密钥",
};

const KEYS_TOO: ProblemText = {
  code: "two-modes",
  en: "is set together with other credentials; a sub-merchant has no keys, so remove the others",
  zh: "与其他凭据同时设置；特约商户没有密钥，请删除其他凭据",
};

const EXPIRED: ProblemText = {
  code: "expired",
  en: "is not valid at this time; issue a new one in the merchant platform",
  zh: "当前不在有效期内，请在商户平台重新签发",
};
