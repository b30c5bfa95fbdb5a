import { createPublicKey, type KeyObject, type X509Certificate } from "node:crypto";
import {
  type KeyFault,
  readCertificates,
  readPrivateKey,
  readPublicKeys,
  requireStrongRsa,
} from "@tillkit/wallet-kit";
import { err, ok, Result } from "neverthrow";
import * as z from "zod";
import {
  certificateFile,
  type CertificateFile,
  type CertificateTrust,
  certificateExpiry,
} from "../certificates/certificate-chain.js";
import { certificateSn, isSignedWithRsa } from "../certificates/certificate-sn.js";
import { type ProductCodes, readProductCodes } from "../product-codes.js";
import {
  type AlipayCredentialName,
  type AlipayCredentialProblem,
  credentialProblem,
} from "./credential-problem.js";

/** A key with which Alipay signs. */
export interface AlipayKey {
  readonly key: KeyObject;
  /** SN of the certificate that contains the key; absent for a bare key. */
  readonly sn?: string;
}

/** An account's parsed credentials. */
export interface AlipayCredentials {
  /** Signs requests. */
  readonly appKey: KeyObject;
  /** The keys with which Alipay may sign. There are several during a rotation. */
  readonly alipayKeys: readonly AlipayKey[];
  /** The product codes that the merchant's contracts need instead of the usual ones. */
  readonly productCodes: ProductCodes;
  /** Set in certificate mode. Requests contain the two SNs. */
  readonly certificates?: {
    readonly appCertSn: string;
    readonly rootCertSn: string;
    /** When the certificates expire, epoch milliseconds. */
    readonly endsAt: Readonly<Record<"appCertificate" | "alipayCertificate", number>>;
    /** Verifies new certificates of Alipay. */
    readonly trust: CertificateTrust;
  };
}

const text = z.string().transform((value) => (value.trim() === "" ? undefined : value));
/** Names that only merchants with a service provider use. */
type OfSubMerchants = "provider" | "appAuthToken" | "appAuthTokenExpiry";

const shape = z.strictObject({
  appPrivateKey: text.optional(),
  alipayPublicKey: text.optional(),
  appCertificate: text.optional(),
  alipayCertificate: text.optional(),
  alipayRootCertificate: text.optional(),
  productCodes: text.optional(),
} satisfies Record<Exclude<AlipayCredentialName, OfSubMerchants>, z.ZodType>);
type Pasted = z.infer<typeof shape>;

/**
 * Parses the `credentials` of an Alipay account and checks that they match each other.
 *
 * An account with `alipayPublicKey` is in key mode. An account with the three certificates is in
 * certificate mode. `productCodes` is optional in both modes: JSON text that maps a `paySource` to
 * its `product_code`.
 *
 * @returns the credentials, or all problems that were found.
 * @example
 * ```ts
 * import { parseAlipayCredentials } from "@tillkit/alipay";
 *
 * const parsed = parseAlipayCredentials(credentials);
 * if (parsed.isErr()) console.error(parsed.error);
 * ```
 */
export function parseAlipayCredentials(
  credentials: unknown,
): Result<AlipayCredentials, readonly AlipayCredentialProblem[]> {
  const parsed = shape.safeParse(credentials);
  if (!parsed.success) return err(parsed.error.issues.map(shapeProblem));
  const pasted = parsed.data;
  const byCertificate = pasted.appCertificate ?? pasted.alipayCertificate ?? pasted.alipayRootCertificate;
  if (byCertificate !== undefined && pasted.alipayPublicKey !== undefined)
    return err([credentialProblem("credentials", "two-modes")]);
  return byCertificate === undefined ? keyMode(pasted) : certificateMode(pasted);
}

function keyMode(pasted: Pasted): Result<AlipayCredentials, readonly AlipayCredentialProblem[]> {
  return Result.combineWithAllErrors([
    field(pasted, "appPrivateKey", readPrivateKey),
    field(pasted, "alipayPublicKey", readPublicKeys),
    readProductCodes(pasted),
  ]).andThen(([appKey, keys, productCodes]) => {
    const own = createPublicKey(appKey);
    // Alipay's console shows both keys side by side, and only Alipay's key can verify responses.
    if (keys.some((key) => key.equals(own))) return err([credentialProblem("alipayPublicKey", "is-own")]);
    return ok({ appKey, alipayKeys: keys.map((key) => ({ key })), productCodes });
  });
}

function certificateMode(pasted: Pasted): Result<AlipayCredentials, readonly AlipayCredentialProblem[]> {
  return Result.combineWithAllErrors([
    field(pasted, "appPrivateKey", readPrivateKey),
    field(pasted, "appCertificate", readFile),
    field(pasted, "alipayCertificate", readFile),
    field(pasted, "alipayRootCertificate", readRoots),
    readProductCodes(pasted),
  ]).andThen(([appKey, appFile, alipayFile, roots, productCodes]) => {
    const own = createPublicKey(appKey);
    const app = appFile.leaves.find(({ publicKey }) => publicKey.equals(own));
    if (app === undefined) return err([credentialProblem("appCertificate", "mismatch")]);
    const { leaves: alipays } = alipayFile;
    if (alipays.some(({ publicKey }) => publicKey.equals(own)))
      return err([credentialProblem("alipayCertificate", "is-own")]);
    return ok({
      appKey,
      alipayKeys: alipays.map((certificate) => ({
        key: certificate.publicKey,
        sn: certificateSn(certificate),
      })),
      productCodes,
      certificates: {
        appCertSn: certificateSn(app),
        rootCertSn: roots.map(certificateSn).join("_"),
        // During a rotation, Alipay signs with the newest certificate.
        endsAt: {
          appCertificate: certificateExpiry(app),
          alipayCertificate: Math.max(...alipays.map(certificateExpiry)),
        },
        trust: {
          roots,
          intermediates: [...appFile.authorities, ...alipayFile.authorities],
          leaves: alipays,
        },
      },
    });
  });
}

function field<T>(
  pasted: Pasted,
  name: AlipayCredentialName & keyof Pasted,
  read: (text: string) => Result<T, KeyFault>,
): Result<T, AlipayCredentialProblem> {
  const value = pasted[name];
  return value === undefined
    ? err(credentialProblem(name, "missing"))
    : read(value).mapErr((fault) => credentialProblem(name, fault));
}

function readFile(pasted: string): Result<CertificateFile, KeyFault> {
  return readCertificates(pasted).andThen((certificates) => {
    const file = certificateFile(certificates);
    if (file.leaves.length === 0) return err("unreadable" as const);
    return Result.combine(file.leaves.map(({ publicKey }) => requireStrongRsa(publicKey))).map(() => file);
  });
}

/** Reads the RSA certificates of the root bundle and skips the others. */
function readRoots(pasted: string): Result<readonly X509Certificate[], KeyFault> {
  return readCertificates(pasted, isSignedWithRsa);
}

function shapeProblem({ code, path: [name] }: z.core.$ZodIssue): AlipayCredentialProblem {
  const known = shape.keyof().safeParse(name);
  if (known.success) return credentialProblem(known.data, "not-text");
  return credentialProblem("credentials", code === "unrecognized_keys" ? "unknown-name" : "not-text");
}
