import { createPublicKey, type KeyObject, type X509Certificate } from "node:crypto";
import { err, ok, Result } from "neverthrow";
import { z } from "zod";
import { certificateSn, isSignedWithRsa } from "./certificate-sn.js";
import { type AlipayCredentialName, type AlipayCredentialProblem, problem } from "./credential-problem.js";
import {
  certificateOf,
  type KeyFault,
  readCertificates,
  readPrivateKey,
  readPublicKeys,
  strongRsa,
} from "./read-key.js";

/** A key that the wallet signs with. */
export interface AlipayKey {
  readonly key: KeyObject;
  /** The number of the certificate it comes from; absent for a bare key. */
  readonly sn?: string;
}

/** An account's credentials, ready for use. */
export interface AlipayCredentials {
  /** What requests are signed with. */
  readonly appKey: KeyObject;
  /** The keys the wallet may sign with: several while one follows another. */
  readonly alipayKeys: readonly AlipayKey[];
  /** What requests name in certificate mode. */
  readonly certificates?: {
    readonly appCertSn: string;
    readonly rootCertSn: string;
    /** When each stops being good, epoch milliseconds. */
    readonly endsAt: Readonly<Record<"appCertificate" | "alipayCertificate", number>>;
  };
}

const text = z.string().transform((value) => (value.trim() === "" ? undefined : value));
const shape = z.strictObject({
  appPrivateKey: text.optional(),
  alipayPublicKey: text.optional(),
  appCertificate: text.optional(),
  alipayCertificate: text.optional(),
  alipayRootCertificate: text.optional(),
} satisfies Record<AlipayCredentialName, z.ZodType>);
type Pasted = z.infer<typeof shape>;

/**
 * Reads the credentials of an account at WALLET_B, or says everything that is wrong with them. With `alipayPublicKey` the account is in
 * key mode, with the three certificates in certificate mode. Every key is parsed, and must belong to its neighbours.
 */
export function parseAlipayCredentials(
  credentials: unknown,
): Result<AlipayCredentials, readonly AlipayCredentialProblem[]> {
  const parsed = shape.safeParse(credentials);
  if (!parsed.success) return err(parsed.error.issues.map(shapeProblem));
  const pasted = parsed.data;
  const byCertificate = pasted.appCertificate ?? pasted.alipayCertificate ?? pasted.alipayRootCertificate;
  if (byCertificate !== undefined && pasted.alipayPublicKey !== undefined)
    return err([problem("credentials", "two-modes")]);
  return byCertificate === undefined ? keyMode(pasted) : certificateMode(pasted);
}

function keyMode(pasted: Pasted): Result<AlipayCredentials, readonly AlipayCredentialProblem[]> {
  return Result.combineWithAllErrors([
    field(pasted, "appPrivateKey", readPrivateKey),
    field(pasted, "alipayPublicKey", readPublicKeys),
  ]).andThen(([appKey, keys]) => {
    const own = createPublicKey(appKey);
    // The console shows both keys side by side, and only the wallet's proves anything.
    if (keys.some((key) => key.equals(own))) return err([problem("alipayPublicKey", "is-own")]);
    return ok({ appKey, alipayKeys: keys.map((key) => ({ key })) });
  });
}

function certificateMode(pasted: Pasted): Result<AlipayCredentials, readonly AlipayCredentialProblem[]> {
  return Result.combineWithAllErrors([
    field(pasted, "appPrivateKey", readPrivateKey),
    field(pasted, "appCertificate", readLeaves),
    field(pasted, "alipayCertificate", readLeaves),
    field(pasted, "alipayRootCertificate", readRootSn),
  ]).andThen(([appKey, apps, alipays, rootCertSn]) => {
    const own = createPublicKey(appKey);
    const app = apps.find(({ publicKey }) => publicKey.equals(own));
    if (app === undefined) return err([problem("appCertificate", "mismatch")]);
    if (alipays.some(({ publicKey }) => publicKey.equals(own)))
      return err([problem("alipayCertificate", "is-own")]);
    return ok({
      appKey,
      alipayKeys: alipays.map((certificate) => ({
        key: certificate.publicKey,
        sn: certificateSn(certificate),
      })),
      certificates: {
        appCertSn: certificateSn(app),
        rootCertSn,
        // Of several, the wallet signs with the newest.
        endsAt: { appCertificate: endOf(app), alipayCertificate: Math.max(...alipays.map(endOf)) },
      },
    });
  });
}

function field<T>(
  pasted: Pasted,
  name: AlipayCredentialName,
  read: (text: string) => Result<T, KeyFault>,
): Result<T, AlipayCredentialProblem> {
  const value = pasted[name];
  return value === undefined
    ? err(problem(name, "missing"))
    : read(value).mapErr((fault) => problem(name, fault));
}

/** The certificates of a file that are not an authority's: the wallet's files bring those along. */
function readLeaves(pasted: string): Result<readonly X509Certificate[], KeyFault> {
  return readCertificates<X509Certificate>(pasted, (material) => {
    const certificate = certificateOf(material);
    if (certificate === undefined) return err("unreadable");
    return certificate.ca ? undefined : strongRsa(certificate.publicKey).map(() => certificate);
  });
}

function readRootSn(pasted: string): Result<string, KeyFault> {
  return readCertificates<string>(pasted, (material) => {
    if (!isSignedWithRsa(material.der)) return undefined;
    const certificate = certificateOf(material);
    return certificate === undefined ? err("unreadable") : ok(certificateSn(certificate));
  }).map((sns) => sns.join("_"));
}

function endOf({ validTo }: X509Certificate): number {
  return Date.parse(validTo);
}

function shapeProblem({ code, path: [name] }: z.core.$ZodIssue): AlipayCredentialProblem {
  const known = shape.keyof().safeParse(name);
  if (known.success) return problem(known.data, "not-text");
  return problem("credentials", code === "unrecognized_keys" ? "unknown-name" : "not-text");
}
