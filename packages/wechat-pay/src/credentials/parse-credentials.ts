import { createPublicKey, createSecretKey, type KeyObject, type X509Certificate } from "node:crypto";
import { err, ok, Result } from "neverthrow";
import {
  CREDENTIAL_NAMES,
  credentialProblem,
  type ProblemText,
  type WechatPayCredentialProblem,
} from "./credential-problem.js";
import { platformKeysOf } from "./parse-platform-keys.js";
import { certificateOf, privateKeyOf } from "./read-key.js";
import { shipmentsOption } from "./shipments-option.js";

/**
 * A merchant's parsed credentials for WeChat Pay.
 *
 * Secret keys are `KeyObject`s, so logging the credentials does not reveal them.
 */
export interface WechatPayCredentials {
  readonly merchantKey: KeyObject;
  /** Upper-case hexadecimal. */
  readonly merchantSerialNo: string;
  readonly merchantCertificate?: X509Certificate;
  readonly apiV3Key: KeyObject;
  /** WeChat Pay's keys by `PUB_KEY_ID_…` or certificate serial number. */
  readonly platformKeys: ReadonlyMap<string, KeyObject>;
  /** The platform certificates that `platformKeys` contains. */
  readonly platformCertificates: readonly X509Certificate[];
  /**
   * The account that pays refunds. If absent, WeChat Pay chooses; some retries name `AVAILABLE`.
   */
  readonly fundsAccount?: FundsAccount;
}

const FUNDS_ACCOUNTS = ["AVAILABLE", "UNSETTLED"] as const;

/** An account of the merchant that can pay refunds, as `funds_account` of a refund names it. */
export type FundsAccount = (typeof FUNDS_ACCOUNTS)[number];

const MISSING = {
  merchantPrivateKey: {
    code: "missing",
    en: "is missing; paste the text of apiclient_key.pem",
    zh: "缺失，请粘贴 apiclient_key.pem 的内容",
  },
  apiV3Key: {
    code: "missing",
    en: "is missing; paste the APIv3 key that you set in the merchant platform",
    zh: "缺失，请粘贴在商户平台设置的 APIv3 密钥",
  },
  platformKeys: {
    code: "missing",
    en: 'is missing; set JSON text such as {"PUB_KEY_ID_0116…": "-----BEGIN PUBLIC KEY-----…"}, with the id of the key and the text of pub_key.pem',
    zh: '缺失，请设置 JSON 文本，例如 {"PUB_KEY_ID_0116…": "-----BEGIN PUBLIC KEY-----…"}，以公钥 ID 为键，以 pub_key.pem 的内容为值',
  },
} as const satisfies Readonly<Record<string, ProblemText>>;

const UNKNOWN_NAME: ProblemText = {
  code: "unknown-name",
  en: `have an unknown field; the known fields are ${CREDENTIAL_NAMES.join(", ")}`,
  zh: `中有未知字段，已知字段为 ${CREDENTIAL_NAMES.join("、")}`,
};

/** The problem of credentials that name a service provider whose pay tool was not found. */
const NO_PROVIDER: ProblemText = {
  code: "mismatch",
  en: "is not the id of a pay tool with own keys, of the same channel and appEnv; set it to the id of the service provider's pay tool",
  zh: "不是同一渠道、同一 appEnv 且自有密钥的收款配置的 id，请填写服务商的收款配置的 id",
};

type Credentials = Readonly<Record<string, string>>;

/**
 * Parses the `credentials` of a WeChat Pay account and checks that they match each other.
 *
 * The required fields are `merchantPrivateKey`, `apiV3Key`, `platformKeys` (JSON text that maps ids
 * or serial numbers to keys), and at least one of `merchantSerialNo` and `merchantCertificate`.
 * `fundsAccount` is optional. `shipments` and `appSecret` are optional too: they switch on the
 * reports of a mini-program's deliveries.
 *
 * @returns the credentials, or the problems. Values that do not match each other are reported only
 *   if every field parses.
 * @example
 * ```ts
 * import { parseWechatPayCredentials } from "@tillkit/wechat-pay";
 *
 * const parsed = parseWechatPayCredentials(credentials);
 * if (parsed.isErr()) console.error(parsed.error);
 * ```
 */
export function parseWechatPayCredentials(
  credentials: Readonly<Record<string, string>>,
): Result<WechatPayCredentials, readonly WechatPayCredentialProblem[]> {
  if (credentials["provider"] !== undefined) return err([credentialProblem("provider", NO_PROVIDER)]);
  const read = Result.combineWithAllErrors([
    required(credentials, "merchantPrivateKey", privateKeyOf),
    optional(credentials, "merchantSerialNo", serialNoOf),
    optional(credentials, "merchantCertificate", certificateOf),
    required(credentials, "apiV3Key", apiV3KeyOf),
    required(credentials, "platformKeys", platformKeysOf),
    optional(credentials, "fundsAccount", fundsAccountOf),
    knownNames(credentials),
  ]);
  const option = shipmentsOption(credentials);
  if (read.isErr() || option.isErr())
    return err([
      ...read.match(
        () => [],
        (found) => found,
      ),
      ...option.match(
        () => [],
        (found) => found,
      ),
    ]);
  const [merchantKey, stated, merchantCertificate, apiV3Key, platform, fundsAccount] = read.value;
  const merchantSerialNo = stated ?? merchantCertificate?.serialNumber;
  const problems = mismatches(merchantKey, platform.keys, stated, merchantCertificate);
  if (merchantSerialNo === undefined || problems.length > 0) return err(problems);
  const certificate = merchantCertificate === undefined ? {} : { merchantCertificate };
  const { keys: platformKeys, certificates: platformCertificates } = platform;
  return ok({
    merchantKey,
    merchantSerialNo,
    ...certificate,
    apiV3Key,
    platformKeys,
    platformCertificates,
    ...(fundsAccount === undefined ? {} : { fundsAccount }),
  });
}

function mismatches(
  merchantKey: KeyObject,
  platformKeys: ReadonlyMap<string, KeyObject>,
  serialNo: string | undefined,
  certificate: X509Certificate | undefined,
): readonly WechatPayCredentialProblem[] {
  const own = createPublicKey(merchantKey);
  const problems: WechatPayCredentialProblem[] = [];
  if (serialNo === undefined && certificate === undefined) {
    const text = {
      en: "is missing; set the serial number of the merchant API certificate, or set merchantCertificate",
      zh: "缺失，请设置商户 API 证书的序列号，或设置 merchantCertificate",
    };
    problems.push(credentialProblem("merchantSerialNo", { code: "missing", ...text }));
  }
  if (certificate !== undefined && !certificate.publicKey.equals(own)) {
    const text = {
      en: "is not the certificate of merchantPrivateKey; paste the apiclient_cert.pem issued with that key",
      zh: "不是 merchantPrivateKey 的证书，请粘贴与该私钥一同签发的 apiclient_cert.pem",
    };
    problems.push(credentialProblem("merchantCertificate", { code: "mismatch", ...text }));
  }
  if (serialNo !== undefined && certificate !== undefined && certificate.serialNumber !== serialNo) {
    const text = {
      en: `differs from the serial number of merchantCertificate, ${certificate.serialNumber}; remove the wrong one`,
      zh: `与 merchantCertificate 的序列号 ${certificate.serialNumber} 不一致，请删除错误的一项`,
    };
    problems.push(credentialProblem("merchantSerialNo", { code: "mismatch", ...text }));
  }
  for (const [id, key] of platformKeys) {
    if (!key.equals(own)) continue;
    const text = {
      en: `${id} is the merchant's own key; paste WeChat Pay's key, pub_key.pem from the merchant platform`,
      zh: `${id} 是商户自己的密钥，请粘贴微信支付的公钥，即商户平台的 pub_key.pem`,
    };
    problems.push(credentialProblem("platformKeys", { code: "is-own", ...text }));
  }
  return problems;
}

function required<T>(
  credentials: Credentials,
  field: keyof typeof MISSING,
  read: (text: string) => Result<T, ProblemText>,
): Result<T, WechatPayCredentialProblem> {
  return optional(credentials, field, read).andThen((value) =>
    value === undefined ? err(credentialProblem(field, MISSING[field])) : ok(value),
  );
}

function optional<T>(
  credentials: Credentials,
  field: (typeof CREDENTIAL_NAMES)[number],
  read: (text: string) => Result<T, ProblemText>,
): Result<T | undefined, WechatPayCredentialProblem> {
  const text = credentials[field];
  if (typeof text !== "string") return ok(undefined);
  return read(text).mapErr((problem) => credentialProblem(field, problem));
}

/** Fails if a field name is unknown, because it is probably misspelt. */
function knownNames(credentials: Credentials): Result<void, WechatPayCredentialProblem> {
  const known: readonly string[] = CREDENTIAL_NAMES;
  return Object.keys(credentials).every((name) => known.includes(name))
    ? ok(undefined)
    : err(credentialProblem("credentials", UNKNOWN_NAME));
}

function serialNoOf(text: string): Result<string, ProblemText> {
  // Tools print serial numbers with colons, in either case.
  const serialNo = text.replaceAll(/[\s:]/g, "").toUpperCase();
  return /^[0-9A-F]{8,64}$/.test(serialNo)
    ? ok(serialNo)
    : err({
        code: "malformed",
        en: "is not a serial number of hexadecimal digits; copy it from the merchant platform, API security",
        zh: "不是十六进制序列号，请从商户平台的 API 安全页面复制",
      });
}

function fundsAccountOf(text: string): Result<FundsAccount, ProblemText> {
  const account = FUNDS_ACCOUNTS.find((name) => name === text.trim());
  return account === undefined
    ? err({
        code: "malformed",
        en: `is not ${FUNDS_ACCOUNTS.join(" or ")}; remove it to let WeChat Pay choose`,
        zh: `不是 ${FUNDS_ACCOUNTS.join(" 或 ")}，移除后由微信支付选择`,
      })
    : ok(account);
}

function apiV3KeyOf(text: string): Result<KeyObject, ProblemText> {
  return /^[\x21-\x7e]{32}$/.test(text)
    ? ok(createSecretKey(Buffer.from(text, "latin1")))
    : err({
        code: "malformed",
        en: "is not 32 visible ASCII characters; paste the APIv3 key, not the APIv2 key or a file",
        zh: "不是 32 个可见 ASCII 字符，请粘贴 APIv3 密钥，而不是 APIv2 密钥或文件",
      });
}
