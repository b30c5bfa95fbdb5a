import { createHash, type X509Certificate } from "node:crypto";

/**
 * Returns Alipay's serial number (SN) of a certificate.
 *
 * It is the hexadecimal MD5 digest of the issuer and the decimal serial number. It only identifies
 * a certificate, so the weakness of MD5 does not matter.
 */
export function certificateSn({ issuer, serialNumber }: X509Certificate): string {
  // Node prints one attribute per line, the most general first. Alipay starts with the most
  // specific.
  const name = issuer.split("\n").reverse().join(",");
  return createHash("md5")
    .update(`${name}${BigInt(`0x${serialNumber}`)}`)
    .digest("hex");
}

const RSA_SIGNATURES = "2a864886f70d0101";

/**
 * Returns whether a certificate is signed with RSA.
 *
 * Alipay's root bundle also contains other certificates, which are not part of the bundle's SN.
 * OpenSSL may not support them, so this function reads the bytes and does not parse the key.
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

/** Returns the start and end of the contents of the DER element at `at`. */
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
