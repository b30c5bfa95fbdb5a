import { err, ok, type Result } from "neverthrow";
import type { WalletBMerchant } from "../merchant.js";
import { certificateSn } from "../shared/certificate.js";
import { instantOfChinaTime } from "../shared/china-time.js";
import { publicKeyOf, verifyBytes } from "../shared/rsa.js";
import { argument, type WalletBRefusal } from "./answers.js";
import { bytesOf, type Charset, charsetNamed } from "./charset.js";
import { type Parameters, readForm, requestText } from "./sign.js";

/** What a request is checked against. */
export interface KnownApp extends WalletBMerchant {
  readonly appPublicKey: string;
  /** Called with each request that proved itself. */
  proven?(parameters: Parameters): void;
}

/** How old the `timestamp` of a call may be, in milliseconds. */
export const CALL_AGE = 86_400_000;
/** How old the `timestamp` of what an app signed for later may be: as long as a trade can wait for its payment. */
export const SIGNED_AGE = 16 * CALL_AGE;
/** How far a `timestamp` may be ahead of the wallet's clock, in milliseconds. */
const AHEAD = CALL_AGE;

/** The parameters of a request: those of its address and of its body together. `undefined` when they are no form, or one is there twice. */
export function readParameters(query: string, body: Uint8Array, charset: Charset): Parameters | undefined {
  const inAddress = query === "" ? {} : readForm(Buffer.from(query), charset);
  const inBody = body.length === 0 ? {} : readForm(body, charset);
  if (inAddress === undefined || inBody === undefined) return undefined;
  const twice = Object.keys(inAddress).some((name) => Object.hasOwn(inBody, name));
  return twice ? undefined : { ...inAddress, ...inBody };
}

/** What is asked of each common parameter; a name that ends the code of its error, and the values WALLET_B takes. */
const COMMON = [
  ["sign_type", "signature-type", (value: string) => value === "RSA2"],
  ["version", "version", (value: string) => value === "1.0"],
  ["timestamp", "timestamp", (value: string) => instantOfChinaTime(value) !== undefined],
  ["charset", "charset", (value: string) => charsetNamed(value) !== undefined],
] as const;

/** When a request is looked at, and how long ago it may have been signed. Milliseconds. */
export interface RequestAge {
  readonly now: number;
  readonly longestAgo: number;
}

/** Proves that the app sent exactly these parameters, and not too long ago. */
export function verifyRequest(
  parameters: Parameters,
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
  const proven = key !== undefined && verifyBytes(bytesOf(requestText(parameters), charset), sign, key);
  if (!proven) return err(argument("invalid", "signature"));
  app.proven?.(parameters);
  return ok(undefined);
}
