import type { Message } from "@tillkit/core/errors";
import type { KeyFault } from "@tillkit/wallet-kit";

/** The fields of the `credentials` of a WALLET_B account. */
export const CREDENTIAL_NAMES = [
  "appPrivateKey",
  "alipayPublicKey",
  "appCertificate",
  "alipayCertificate",
  "alipayRootCertificate",
  "productCodes",
  "provider",
  "appAuthToken",
  "appAuthTokenExpiry",
] as const;
/** One of the names of the credentials. */
export type AlipayCredentialName = (typeof CREDENTIAL_NAMES)[number];

/** One problem with an account's credentials. Does not contain any part of the values. */
export interface AlipayCredentialProblem {
  readonly name: "credential.invalid";
  /** `credentials` if the problem does not concern exactly one known field. */
  readonly field: AlipayCredentialName | "credentials";
  readonly reason: CredentialFault;
  /** What is wrong and which value to provide instead, for an operator. */
  readonly message: string;
  /** The same in Chinese. */
  readonly messageZh: string;
}

/** What can be wrong with credentials. */
export type CredentialFault =
  | KeyFault
  | "missing"
  | "not-text"
  | "unknown-name"
  | "two-modes"
  | "provider-and-keys"
  | "is-own"
  | "mismatch"
  | "malformed"
  | "expired";

const WANTED = {
  appPrivateKey: {
    en: "the app's private key, as the key tool wrote it: base64 of PKCS#8 or PKCS#1, or PEM",
    zh: "密钥工具生成的应用私钥：PKCS#8 或 PKCS#1 的 base64，或 PEM",
  },
  alipayPublicKey: {
    en: "the Alipay public key that the console shows on the page of the app's keys; during a replacement both keys, separated by a comma",
    zh: "开放平台控制台在应用密钥页面显示的支付宝公钥；更换期间为新旧两个公钥，以逗号分隔",
  },
  appCertificate: {
    en: "the whole text of appCertPublicKey_….crt",
    zh: "appCertPublicKey_….crt 的全部内容",
  },
  alipayCertificate: {
    en: "the whole text of alipayCertPublicKey_RSA2.crt; during a replacement both files, one after the other",
    zh: "alipayCertPublicKey_RSA2.crt 的全部内容；更换期间为新旧两个文件，依次粘贴",
  },
  alipayRootCertificate: {
    en: "the whole text of alipayRootCert.crt",
    zh: "alipayRootCert.crt 的全部内容",
  },
  productCodes: {
    en: 'JSON text with the product code of a paySource, such as {"NATIVE": "QR_CODE_OFFLINE"} for a merchant whose contract is 订单码',
    zh: '以 paySource 为键、产品码为值的 JSON 文本，例如签约产品为订单码时填写 {"NATIVE": "QR_CODE_OFFLINE"}',
  },
  provider: {
    en: "the id of the service provider's pay tool, which has the same channel and appEnv and keys of its own",
    zh: "服务商的收款配置的 id，其渠道和 appEnv 相同，且自有密钥",
  },
  appAuthToken: {
    en: "the app_auth_token of the merchant's authorisation",
    zh: "商户授权的 app_auth_token",
  },
  appAuthTokenExpiry: {
    en: "the day on which the authorisation ends, such as 2027-06-30; leave it out if it has no end",
    zh: "授权到期日，例如 2027-06-30；长期有效的授权请勿填写",
  },
  credentials: {
    en: "appPrivateKey with alipayPublicKey, or appPrivateKey with appCertificate, alipayCertificate and alipayRootCertificate",
    zh: "appPrivateKey 和 alipayPublicKey，或 appPrivateKey 和 appCertificate、alipayCertificate、alipayRootCertificate",
  },
} as const satisfies Record<AlipayCredentialProblem["field"], Message>;

const FAULTS = {
  missing: { en: "is missing", zh: "缺失" },
  "not-text": { en: "is not text", zh: "不是文本" },
  unreadable: { en: "cannot be read", zh: "无法读取" },
  several: {
    en: "contains several keys, but only one is allowed",
    zh: "包含多个密钥，但只允许一个",
  },
  encrypted: {
    en: "is protected by a password: remove the password with `openssl pkcs8`",
    zh: "有密码保护，请使用 `openssl pkcs8` 去除密码",
  },
  "is-private-key": {
    en: "is a private key, which is allowed only in appPrivateKey",
    zh: "是私钥，私钥只能用于 appPrivateKey",
  },
  "is-public-key": { en: "is a public key", zh: "是公钥" },
  "is-certificate": { en: "is a certificate", zh: "是证书" },
  "not-rsa": { en: "is not an RSA key", zh: "不是 RSA 密钥" },
  "too-short": {
    en: "is shorter than 2048 bits: create a new key pair for RSA2",
    zh: "不足 2048 位，请为 RSA2 重新生成密钥对",
  },
  "unknown-name": { en: "have an unknown field", zh: "中有未知字段" },
  "two-modes": {
    en: "contain both alipayPublicKey and certificates, but an app uses either key mode or certificate mode",
    zh: "同时包含 alipayPublicKey 和证书，但应用只能使用密钥模式或证书模式之一",
  },
  "provider-and-keys": {
    en: "contain both a provider and keys, but the provider's pay tool has the keys",
    zh: "同时包含 provider 和密钥，但密钥应在服务商的收款配置中",
  },
  "is-own": {
    en: "is the app's own public key, not Alipay's",
    zh: "是应用自己的公钥，而不是支付宝的公钥",
  },
  mismatch: { en: "does not belong to appPrivateKey", zh: "与 appPrivateKey 不匹配" },
  malformed: { en: "has a wrong format", zh: "格式不正确" },
  expired: { en: "has expired: download the new one", zh: "已过期，请下载新的证书" },
} as const satisfies Record<CredentialFault, Message>;

/** Creates a problem with its messages. */
export function credentialProblem(
  field: AlipayCredentialProblem["field"],
  reason: CredentialFault,
): AlipayCredentialProblem {
  const [fault, wanted] = [FAULTS[reason], WANTED[field]];
  const message = `${field} ${fault.en}. Wanted: ${wanted.en}.`;
  const messageZh = `${field} ${fault.zh}。应为：${wanted.zh}。`;
  return { name: "credential.invalid", field, reason, message, messageZh };
}
