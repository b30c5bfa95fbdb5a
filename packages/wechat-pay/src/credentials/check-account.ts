import type { WalletAccount } from "@tillkit/core";
import { canSign } from "@tillkit/wallet-kit";
import { parseWechatPayCredentials } from "./parse-credentials.js";

/**
 * Returns what is wrong with a WeChat Pay account, as texts for an operator.
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
  { accountId, walletAppId, credentials }: Pick<WalletAccount, "accountId" | "walletAppId" | "credentials">,
  now: number,
): Promise<readonly string[]> {
  const names = [
    /^\d{8,32}$/.test(accountId) ? [] : ["accountId is not a merchant number (mchid): 8 to 32 digits"],
    /^wx[0-9A-Za-z]{1,30}$/.test(walletAppId)
      ? []
      : ["walletAppId is not a WeChat app id, which starts with wx"],
  ].flat();
  const read = parseWechatPayCredentials(credentials);
  if (read.isErr()) return [...names, ...read.error.map(({ field, problem }) => `${field} ${problem}`)];
  const { merchantKey, merchantCertificate } = read.value;
  const valid =
    merchantCertificate === undefined ||
    (Date.parse(merchantCertificate.validFrom) <= now && now < Date.parse(merchantCertificate.validTo));
  return [
    names,
    (await canSign(merchantKey))
      ? []
      : ["merchantPrivateKey is damaged: its public half does not verify its signature; issue a new key"],
    valid ? [] : ["merchantCertificate is not valid at this time; issue a new one in the merchant platform"],
  ].flat();
}
