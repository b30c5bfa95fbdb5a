import { createPublicKey, createSecretKey, type KeyObject, type X509Certificate } from "node:crypto";
import { err, ok, type Result } from "neverthrow";
import * as z from "zod";
import { CREDENTIAL_NAMES, type WechatPayCredentialProblem } from "./credential-problem.js";
import { platformKeysOf } from "./platform-keys.js";
import { certificateOf, privateKeyOf } from "./read-key.js";

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
}

const MISSING = {
  merchantPrivateKey: "is missing; paste the text of apiclient_key.pem",
  apiV3Key: "is missing; paste the APIv3 key that you set in the merchant platform",
  platformKeys:
    'is missing; set JSON text such as {"PUB_KEY_ID_0116…": "-----BEGIN PUBLIC KEY-----…"}, with the id of the key and the text of pub_key.pem',
} as const;

const FIELDS = {
  merchantPrivateKey: z.string(MISSING.merchantPrivateKey).transform(loaded(privateKeyOf)),
  merchantSerialNo: z.string().transform(loaded(serialNoOf)).optional(),
  merchantCertificate: z.string().transform(loaded(certificateOf)).optional(),
  apiV3Key: z.string(MISSING.apiV3Key).transform(loaded(apiV3KeyOf)),
  platformKeys: z.string(MISSING.platformKeys).transform(loaded(platformKeysOf)),
};

const fields = z.strictObject(FIELDS);

/**
 * Parses the `credentials` of a WeChat Pay account and checks that they match each other.
 *
 * The required fields are `merchantPrivateKey`, `apiV3Key`, `platformKeys` (JSON text that maps ids
 * or serial numbers to keys), and at least one of `merchantSerialNo` and `merchantCertificate`.
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
  const read = fields.safeParse(credentials);
  if (!read.success) return err(read.error.issues.map(problemOf));
  const { merchantPrivateKey: merchantKey, apiV3Key, platformKeys: platform } = read.data;
  const { merchantSerialNo: stated, merchantCertificate } = read.data;
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
    const problem =
      "is missing; set the serial number of the merchant API certificate, or set merchantCertificate";
    problems.push({ field: "merchantSerialNo", problem });
  }
  if (certificate !== undefined && !certificate.publicKey.equals(own)) {
    const problem =
      "is not the certificate of merchantPrivateKey; paste the apiclient_cert.pem issued with that key";
    problems.push({ field: "merchantCertificate", problem });
  }
  if (serialNo !== undefined && certificate !== undefined && certificate.serialNumber !== serialNo) {
    const problem = `differs from the serial number of merchantCertificate, ${certificate.serialNumber}; remove the wrong one`;
    problems.push({ field: "merchantSerialNo", problem });
  }
  for (const [id, key] of platformKeys) {
    if (!key.equals(own)) continue;
    const problem = `${id} is the merchant's own key; paste WeChat Pay's key, pub_key.pem from the merchant platform`;
    problems.push({ field: "platformKeys", problem });
  }
  return problems;
}

function problemOf({ path, message, code }: z.core.$ZodIssue): WechatPayCredentialProblem {
  const field = CREDENTIAL_NAMES.find((name) => name === path[0]) ?? "credentials";
  // An unknown name is probably misspelt.
  const problem =
    code === "unrecognized_keys"
      ? `have an unknown field; the known fields are ${CREDENTIAL_NAMES.join(", ")}`
      : message;
  return { field, problem };
}

/** Turns a parser into a zod transform that reports the parser's error as an issue. */
function loaded<T>(read: (text: string) => Result<T, string>) {
  return (text: string, context: z.RefinementCtx): T => {
    const result = read(text);
    if (result.isOk()) return result.value;
    context.addIssue({ code: "custom", message: result.error });
    return z.NEVER;
  };
}

function serialNoOf(text: string): Result<string, string> {
  // Tools print serial numbers with colons, in either case.
  const serialNo = text.replaceAll(/[\s:]/g, "").toUpperCase();
  return /^[0-9A-F]{8,64}$/.test(serialNo)
    ? ok(serialNo)
    : err("is not a serial number of hexadecimal digits; copy it from the merchant platform, API security");
}

function apiV3KeyOf(text: string): Result<KeyObject, string> {
  return /^[\x21-\x7e]{32}$/.test(text)
    ? ok(createSecretKey(Buffer.from(text, "latin1")))
    : err("is not 32 visible ASCII characters; paste the APIv3 key, not the APIv2 key or a file");
}
