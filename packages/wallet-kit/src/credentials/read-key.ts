import { createPrivateKey, createPublicKey, type KeyObject, X509Certificate } from "node:crypto";
import { err, ok, Result } from "neverthrow";
import { type KeyMaterial, parseKeyMaterials } from "./key-material.js";

/** What is wrong with a configured key or certificate. */
export type KeyFault =
  | "unreadable"
  | "several"
  | "encrypted"
  | "is-private-key"
  | "is-public-key"
  | "is-certificate"
  | "not-rsa"
  | "too-short";

/** Minimum size of an RSA key in bits. Both wallets require it. */
const MIN_BITS = 2048;

/** Parses the one private key of a text: PKCS#8 or PKCS#1, in PEM or bare base64. */
export function readPrivateKey(pasted: string): Result<KeyObject, KeyFault> {
  const materials = parseKeyMaterials(pasted);
  const [material, another] = materials ?? [];
  if (material === undefined) return err("unreadable");
  if (another !== undefined) return err("several");
  if (material.encrypted) return err("encrypted");
  const key = privateKeyOf(material);
  if (key !== undefined) return requireStrongRsa(key);
  if (certificateOf(material) !== undefined) return err("is-certificate");
  return err(publicKeyOf(material) === undefined ? "unreadable" : "is-public-key");
}

/** Parses the public keys of a text, one or more: SPKI or PKCS#1, in PEM or bare base64. */
export function readPublicKeys(pasted: string): Result<readonly KeyObject[], KeyFault> {
  return each(pasted, (material) => {
    // Checked first, because Node would derive a public key from a private key.
    if (material.encrypted || privateKeyOf(material) !== undefined) return err("is-private-key");
    const key = publicKeyOf(material);
    if (key !== undefined) return requireStrongRsa(key);
    return err(certificateOf(material) === undefined ? "unreadable" : "is-certificate");
  });
}

/**
 * Parses the certificates of a text, one or more, in their order.
 *
 * @param isWanted - Receives the DER bytes of a certificate. Returns false to skip it.
 */
export function readCertificates(
  pasted: string,
  isWanted: (der: Uint8Array) => boolean = () => true,
): Result<readonly X509Certificate[], KeyFault> {
  return each(pasted, (material) => {
    if (material.encrypted || privateKeyOf(material) !== undefined) return err("is-private-key");
    if (publicKeyOf(material) !== undefined) return err("is-public-key");
    if (!isWanted(material.der)) return undefined;
    const certificate = certificateOf(material);
    return certificate === undefined ? err("unreadable") : ok(certificate);
  });
}

/** Returns the key if it is an RSA key that is long enough for both wallets. */
export function requireStrongRsa(key: KeyObject): Result<KeyObject, KeyFault> {
  if (key.asymmetricKeyType !== "rsa") return err("not-rsa");
  return (key.asymmetricKeyDetails?.modulusLength ?? 0) < MIN_BITS ? err("too-short") : ok(key);
}

function each<T>(
  pasted: string,
  read: (material: KeyMaterial) => Result<T, KeyFault> | undefined,
): Result<readonly T[], KeyFault> {
  const results = (parseKeyMaterials(pasted) ?? []).map(read).filter((result) => result !== undefined);
  return results.length === 0 ? err("unreadable") : Result.combine(results);
}

function certificateOf({ der }: KeyMaterial): X509Certificate | undefined {
  return attempted(() => new X509Certificate(der));
}

function privateKeyOf({ der }: KeyMaterial): KeyObject | undefined {
  return (
    attempted(() => createPrivateKey({ key: der, format: "der", type: "pkcs8" })) ??
    attempted(() => createPrivateKey({ key: der, format: "der", type: "pkcs1" }))
  );
}

function publicKeyOf({ der }: KeyMaterial): KeyObject | undefined {
  return (
    attempted(() => createPublicKey({ key: der, format: "der", type: "spki" })) ??
    attempted(() => createPublicKey({ key: der, format: "der", type: "pkcs1" }))
  );
}

/** Returns `undefined` if `parse` throws. OpenSSL reports a wrong format only by throwing. */
function attempted<T>(parse: () => T): T | undefined {
  try {
    return parse();
  } catch {
    return undefined;
  }
}
