import { createHash, type X509Certificate } from "node:crypto";

/**
 * The wallet's number of a certificate: the MD5, in hexadecimal, of its issuer and its decimal serial number. It names a certificate and
 * secures nothing.
 */
export function certificateSn({ issuer, serialNumber }: X509Certificate): string {
  // Node writes one attribute a line, the widest first; the wallet begins with the narrowest.
  const name = issuer.split("\n").reverse().join(",");
  return createHash("md5")
    .update(`${name}${BigInt(`0x${serialNumber}`)}`)
    .digest("hex");
}

const RSA_SIGNATURES = "2a864886f70d0101";

/**
 * Whether a certificate is signed with RSA. The wallet's bundle of roots holds others too, which have no part in the bundle's number
 * and which OpenSSL need not understand, so this looks into the bytes and parses no key.
 */
export function isSignedWithRsa(der: Uint8Array): boolean {
  const certificate = element(der, 0);
  const body = certificate && element(der, certificate.start);
  const algorithm = body && element(der, body.end);
  const identifier = algorithm && element(der, algorithm.start);
  return (
    identifier !== undefined &&
    Buffer.from(der.subarray(identifier.start, identifier.end)).toString("hex").startsWith(RSA_SIGNATURES)
  );
}

/** Where the contents of the DER element at `at` begin and end. */
function element(der: Uint8Array, at: number): { readonly start: number; readonly end: number } | undefined {
  const first = der[at + 1];
  if (first === undefined) return undefined;
  const octets = first < 0x80 ? 0 : first - 0x80;
  const start = at + 2 + octets;
  const length =
    octets === 0 ? first : der.subarray(at + 2, start).reduce((sum, byte) => sum * 256 + byte, 0);
  const end = start + length;
  return octets <= 4 && end <= der.length ? { start, end } : undefined;
}
