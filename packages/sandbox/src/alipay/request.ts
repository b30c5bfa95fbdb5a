import { err, ok, type Result } from "neverthrow";
import { SUB_MERCHANTS, type WalletBMerchant } from "../merchant.js";
import { certificateSn } from "../shared/certificate.js";
import { instantOfChinaTime } from "../shared/china-time.js";
import { publicKeyOf, verifyBytes } from "../shared/rsa.js";
import { argument, type WalletBRefusal } from "./answers.js";
import { bytesOf, type Charset, charsetNamed } from "./charset.js";
import { type SignedParameters, readForm, requestText } from "./sign.js";

/** The app that a request must come from. */
export interface KnownApp extends WalletBMerchant {
  readonly appPublicKey: string;
  /** The app of the seller if the request comes from the seller's service provider. */
  readonly authAppId?: string;
  /** The product codes of the merchant's contracts. Absent if the contracts cover every product. */
  readonly products?: readonly string[] | undefined;
  /** Called with the parameters of each verified request. */
  trusted?(parameters: SignedParameters): void;
}

/** Returns the app with the seller for whom a request acts, by its `app_auth_token`. */
export function appFor<T extends KnownApp>(app: T, parameters: SignedParameters): Result<T, WalletBRefusal> {
  const token = parameters["app_auth_token"];
  if (token === undefined) return ok(app);
  const seller = SUB_MERCHANTS.find(({ walletB }) => walletB.appAuthToken === token)?.walletB;
  return seller === undefined
    ? err({ code: "20001", subCode: "aop.invalid-app-auth-token", subMsg: "无效的应用授权令牌" })
    : ok({ ...app, sellerId: seller.sellerId, authAppId: seller.appId });
}

/** The largest age of a call's `timestamp`, in milliseconds. */
export const CALL_AGE = 86_400_000;
/**
 * The largest age of the `timestamp` of a locally signed payload, in milliseconds.
 *
 * It is longer than the 15 days in which such a trade can be paid by default.
 */
export const SIGNED_AGE = 16 * CALL_AGE;
/** How far a `timestamp` may be ahead of the wallet's clock, in milliseconds. */
const AHEAD = CALL_AGE;

/**
 * Returns the parameters of a request, from its URL and its body together.
 *
 * Returns `undefined` if they are not a valid form or if a parameter appears twice.
 */
export function readParameters(
  query: string,
  body: Uint8Array,
  charset: Charset,
): SignedParameters | undefined {
  const inAddress = query === "" ? {} : readForm(Buffer.from(query), charset);
  const inBody = body.length === 0 ? {} : readForm(body, charset);
  if (inAddress === undefined || inBody === undefined) return undefined;
  const twice = Object.keys(inAddress).some((name) => Object.hasOwn(inBody, name));
  return twice ? undefined : { ...inAddress, ...inBody };
}

/** The common parameters: name, suffix of the error code, and the check of the value. */
const COMMON = [
  ["sign_type", "signature-type", (value: string) => value === "RSA2"],
  ["version", "version", (value: string) => value === "1.0"],
  ["timestamp", "timestamp", (value: string) => instantOfChinaTime(value) !== undefined],
  ["charset", "charset", (value: string) => charsetNamed(value) !== undefined],
] as const;

/** The current time and the largest age of a request, in milliseconds. */
export interface RequestAge {
  readonly now: number;
  readonly longestAgo: number;
}

/** Verifies that the app signed exactly these parameters, and recently. */
export function verifyRequest(
  parameters: SignedParameters,
  app: KnownApp,
  { now, longestAgo }: RequestAge,
): Result<void, WalletBRefusal> {
  const { app_id: appId = "", format = "JSON", sign = "" } = parameters;
  if (appId === "") return err(argument("missing", "app-id"));
  if (appId !== app.appId) return err(argument("invalid", "app-id"));
  for (const [name, code, fits] of COMMON) {
    const value = parameters[name] ?? "";
    if (value === "") return err(argument("missing", code));
    if (!fits(value)) return err(argument("invalid", code));
  }
  const age = now - (instantOfChinaTime(parameters["timestamp"] ?? "") ?? 0);
  if (age > longestAgo || age < -AHEAD) return err(argument("invalid", "timestamp"));
  if (format.toUpperCase() !== "JSON") return err(argument("invalid", "format"));
  if (sign === "") return err(argument("missing", "signature"));
  const sn = parameters["app_cert_sn"];
  if (sn !== undefined && sn !== certificateSn(app.appCertificate))
    return err(argument("invalid", "app-cert-sn"));
  const rootSn = parameters["alipay_root_cert_sn"];
  if (rootSn !== undefined && rootSn !== certificateSn(app.rootCertificate))
    return err(argument("invalid", "alipay-root-cert-sn"));
  const key = publicKeyOf(app.appPublicKey);
  const charset = charsetNamed(parameters["charset"] ?? "") ?? "utf-8";
  const trusted = key !== undefined && verifyBytes(bytesOf(requestText(parameters), charset), sign, key);
  if (!trusted) return err(argument("invalid", "signature"));
  app.trusted?.(parameters);
  return ok(undefined);
}
