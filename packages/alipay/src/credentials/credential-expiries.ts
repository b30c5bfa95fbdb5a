import type { WalletAccount } from "@tillkit/core";
import type { CredentialExpiry } from "@tillkit/core/ports";
import type { PlatformCertificates } from "../certificates/platform-certificates.js";
import { certificateExpiry, findTrustedRoot } from "../certificates/certificate-chain.js";
import type { ReadCredentials } from "./credentials-cache.js";
import type { AlipayCredentials } from "./parse-credentials.js";
import { parseSubMerchant } from "./sub-merchant.js";

/**
 * Creates a function that returns when the certificates of an account expire.
 *
 * It returns the expiry of the app certificate, of Alipay's current certificate, and of the root of
 * Alipay's certificates. Bare keys do not expire. A merchant with a service provider has no keys of
 * its own. For such a merchant, the function returns when its authorisation of the provider ends.
 */
export function credentialExpiries(
  readCredentials: ReadCredentials,
  alipay: Pick<PlatformCertificates, "expiresAt">,
): (account: WalletAccount) => readonly CredentialExpiry[] {
  return (account) =>
    account.credentials["provider"] === undefined
      ? keyExpiries(account)
      : parseSubMerchant(account.credentials).match(
          ({ appAuthTokenEndsAt: expiresAt }) =>
            expiresAt === undefined ? [] : [{ name: "appAuthToken", expiresAt }],
          () => [],
        );

  function keyExpiries(account: WalletAccount): readonly CredentialExpiry[] {
    return readCredentials(account).match(
      (credentials) => {
        const ends = {
          appCertificate: credentials.certificates?.endsAt.appCertificate,
          alipayCertificate: alipay.expiresAt(account, credentials),
          alipayRootCertificate: rootEnd(credentials),
        };
        return Object.entries(ends).flatMap(([name, expiresAt]) =>
          expiresAt === undefined ? [] : [{ name, expiresAt }],
        );
      },
      () => [],
    );
  }
}

/**
 * Returns when the root of the configured Alipay certificates expires.
 *
 * Ignores the other roots of the bundle.
 */
function rootEnd({ certificates }: AlipayCredentials): number | undefined {
  if (certificates === undefined) return undefined;
  const { trust } = certificates;
  const ends = trust.leaves.flatMap((leaf) => {
    const root = findTrustedRoot(leaf, [], trust, Date.parse(leaf.validFrom));
    return root === undefined ? [] : [certificateExpiry(root)];
  });
  return ends.length === 0 ? undefined : Math.max(...ends);
}
