import type { X509Certificate } from "node:crypto";

/** What the certificates of an account are judged by: all of it was pasted by an operator. */
export interface CertificateTrust {
  /** The bundle of roots, as far as it is RSA. */
  readonly roots: readonly X509Certificate[];
  /** Authorities that came along in the files of the app and of Alipay. */
  readonly intermediates: readonly X509Certificate[];
  /** The certificates that Alipay signs with. */
  readonly leaves: readonly X509Certificate[];
}

/** Certificates between a leaf and its root at most. Alipay's chains have one. */
const MAX_INTERMEDIATES = 4;

/** Whether `issuer` issued `certificate`: by its name, and by its signature. */
function isIssuedBy(certificate: X509Certificate, issuer: X509Certificate): boolean {
  if (certificate.issuer !== issuer.subject) return false;
  try {
    return certificate.verify(issuer.publicKey);
  } catch {
    // OpenSSL throws for a kind of key that it does not know.
    return false;
  }
}

/** A file of certificates: those of their holders, and the authorities that came along. */
export interface CertificateFile {
  readonly leaves: readonly X509Certificate[];
  readonly authorities: readonly X509Certificate[];
}

/**
 * Tells the leaves of a file from its authorities. Not every authority of Alipay says that it is
 * one: a certificate that issued another one of the file is no leaf either.
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
 * The root that a certificate leads to, or `undefined` if there is none.
 *
 * Every certificate on the way must be good at `now` (epoch milliseconds). One that only
 * `presented` holds must say that it is an authority: otherwise every merchant with a certificate
 * of the same authority could issue one.
 */
export function rootOf(
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

/** When a certificate stops being good, epoch milliseconds. */
export function endOf({ validTo }: X509Certificate): number {
  return Date.parse(validTo);
}

function isGoodAt(certificate: X509Certificate, now: number): boolean {
  return Date.parse(certificate.validFrom) <= now && now < endOf(certificate);
}
