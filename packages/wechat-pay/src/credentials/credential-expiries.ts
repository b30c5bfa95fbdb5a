import type { WalletAccount } from "@tillkit/core";
import type { CredentialExpiry } from "@tillkit/core/ports";
import type { PlatformCertificates } from "../certificates/platform-certificates.js";
import type { ReadCredentials } from "./credentials-cache.js";

/**
 * Creates a function that returns when the certificates of an account expire.
 *
 * It returns the expiry of the merchant certificate, and the latest expiry of the platform
 * certificates. A public key of WeChat Pay (`PUB_KEY_ID_…`) does not expire.
 */
export function credentialExpiries(
  readCredentials: ReadCredentials,
  platform: Pick<PlatformCertificates, "expiresAt">,
): (account: WalletAccount) => readonly CredentialExpiry[] {
  // Returns nothing for a merchant with a service provider. The provider's own pay tool has the
  // keys.
  return (account) =>
    readCredentials(account).match(
      (credentials) => {
        const { merchantCertificate } = credentials;
        const platformEnd = platform.expiresAt(account, credentials);
        return [
          ...(merchantCertificate === undefined
            ? []
            : [{ name: "merchantCertificate", expiresAt: Date.parse(merchantCertificate.validTo) }]),
          ...(platformEnd === undefined ? [] : [{ name: "platformKeys", expiresAt: platformEnd }]),
        ];
      },
      () => [],
    );
}
