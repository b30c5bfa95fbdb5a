import type { X509Certificate } from "node:crypto";

/** The certificates that an operator configured, which verify other certificates. */
export interface CertificateTrust {
  /** The RSA certificates of the root bundle. */
  readonly roots: readonly X509Certificate[];
  /** Authorities from the certificate files of the app and of Alipay. */
  readonly intermediates: readonly X509Certificate[];
  /** The certificates with which Alipay signs. */
  readonly leaves: readonly X509Certificate[];
}

/** Maximum number of certificates between a leaf and its root. Alipay's chains have one. */
const MAX_INTERMEDIATES = 4;

/** Returns whether `issuer` issued `certificate`, by its name and its signature. */
function isIssuedBy(certificate: X509Certificate, issuer: X509Certificate): boolean {
  if (certificate.issuer !== issuer.subject) return false;
  try {
    return certificate.verify(issuer.publicKey);
  } catch {
    // OpenSSL throws for unsupported key types.
    return false;
  }
}

/** The certificates of a file, divided into leaves and authorities. */
export interface CertificateFile {
  readonly leaves: readonly X509Certificate[];
  readonly authorities: readonly X509Certificate[];
}

/**
 * Divides the certificates of a file into leaves and authorities.
 *
 * Some authorities of Alipay do not state that they are authorities. So a certificate that issued
 * another certificate of the file is an authority, too.
 */
export function certificateFile(certificates: readonly X509Certificate[]): CertificateFile {
  const once = [...new Map(certificates.map((one) => [one.fingerprint256, one])).values()];
  const isAuthority = (one: X509Certificate) =>
    one.ca || once.some((other) => other !== one && isIssuedBy(other, one));
  return {
    leaves: once.filter((one) => !isAuthority(one)),
    authorities: once.filter((one) => isAuthority(one)),
  };
}

/**
 * Returns the trusted root of a certificate, or `undefined` if there is none.
 *
 * Every certificate of the chain must be valid at `now`. An authority from `presented` must state
 * that it is an authority. Otherwise every merchant with a certificate of the same authority could
 * issue certificates.
 * @param now - Epoch milliseconds.
 */
export function findTrustedRoot(
  certificate: X509Certificate,
  presented: readonly X509Certificate[],
  { roots, intermediates }: CertificateTrust,
  now: number,
): X509Certificate | undefined {
  const authorities = [...intermediates, ...presented.filter(({ ca }) => ca)];
  function search(current: X509Certificate, depth: number): X509Certificate | undefined {
    if (!isGoodAt(current, now)) return undefined;
    const root = roots.find((known) => isGoodAt(known, now) && isIssuedBy(current, known));
    if (root !== undefined || depth === MAX_INTERMEDIATES) return root;
    for (const authority of authorities) {
      if (authority === current || !isIssuedBy(current, authority)) continue;
      const found = search(authority, depth + 1);
      if (found !== undefined) return found;
    }
    return undefined;
  }
  return search(certificate, 0);
}

/** Returns when a certificate expires, in epoch milliseconds. */
export function certificateExpiry({ validTo }: X509Certificate): number {
  return Date.parse(validTo);
}

function isGoodAt(certificate: X509Certificate, now: number): boolean {
  return Date.parse(certificate.validFrom) <= now && now < certificateExpiry(certificate);
}
