import type { CredentialExpiry, WalletAccount } from "@tillkit/core";
import type { PlatformCertificates } from "../certificates/platform-certificates.js";
import { endOf, rootOf } from "../certificates/certificate-chain.js";
import type { ReadCredentials } from "./credentials-cache.js";
import type { AlipayCredentials } from "./parse-credentials.js";

/**
 * When the certificates of an account end: the app's, the last of Alipay's, and the root that
 * Alipay's leads to. Bare keys have no end.
 */
export function credentialExpiries(
  readCredentials: ReadCredentials,
  alipay: Pick<PlatformCertificates, "expiresAt">,
): (account: WalletAccount) => readonly CredentialExpiry[] {
  return (account) =>
    readCredentials(account).match(
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

/**
 * The end of the root that the pasted certificates were issued under. The bundle has others, too.
 */
function rootEnd({ certificates }: AlipayCredentials): number | undefined {
  if (certificates === undefined) return undefined;
  const { trust } = certificates;
  const ends = trust.leaves.flatMap((leaf) => {
    const root = rootOf(leaf, [], trust, Date.parse(leaf.validFrom));
    return root === undefined ? [] : [endOf(root)];
  });
  return ends.length === 0 ? undefined : Math.max(...ends);
}
