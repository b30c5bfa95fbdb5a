import { createHash, createPublicKey, type X509Certificate } from "node:crypto";
import type { Clock, Observer, WalletAccount } from "@tillkit/core";
import {
  abortAfter,
  type DownloadedKey,
  downloadedKeys,
  memoizeByObject,
  readCertificates,
  reportNewKey,
  requireStrongRsa,
  settledOrAborted,
} from "@tillkit/wallet-kit";
import { certificateFile, certificateExpiry, findTrustedRoot } from "./certificate-chain.js";
import { certificateSn } from "./certificate-sn.js";
import type { AlipayCredentials, AlipayKey } from "../credentials/parse-credentials.js";
import { answered, post } from "../gateway/post.js";
import { certificateTextIn } from "../gateway/read-response.js";
import { type GatewayRequest, signedParameters } from "../signing/signed-parameters.js";

/**
 * The message that names an unknown certificate: a gateway response (`answer`), or a notification.
 *
 * Anyone can send a notification.
 */
export type CertificateRequestSource = "answer" | "notification";

/** Alipay's certificates: those that an operator configured, and those that were downloaded. */
export interface PlatformCertificates {
  /** Returns the keys that may have signed messages for the account. */
  keys(account: WalletAccount, credentials: AlipayCredentials): readonly AlipayKey[];
  /**
   * Downloads the certificate with the SN `sn`, if `keys` does not contain it.
   *
   * Works in certificate mode only. Starts at most one download per minute for each account and
   * `occasion`, so forged notifications cannot use up the downloads that responses need. A
   * notification does not wait for a download that another call started. Resolves when `signal`
   * aborts, at the latest.
   * @returns whether `keys` contains the certificate now and did not before.
   */
  downloadMissing(
    account: WalletAccount,
    credentials: AlipayCredentials,
    sn: string | undefined,
    occasion: CertificateRequestSource,
    signal: AbortSignal,
  ): Promise<boolean>;
  /**
   * Returns when Alipay's certificate expires, in epoch milliseconds.
   *
   * Uses the certificate that was downloaded last. Without a download, it uses the configured
   * certificate that expires last.
   */
  expiresAt(account: WalletAccount, credentials: AlipayCredentials): number | undefined;
}

/** Where certificates are downloaded. */
interface CertificateGateway {
  readonly clock: Pick<Clock, "now">;
  readonly addresses: Readonly<Record<WalletAccount["appEnv"], string>>;
}

const PAUSE = 60_000;

/**
 * Creates the certificate store of all accounts. Keeps downloads in memory, within fixed limits.
 *
 * @param deadline - the timeout of a download in milliseconds.
 * @param observer - receives `wallet.key-trusted` for each certificate that is new to an account.
 */
export function platformCertificates(
  gateway: CertificateGateway,
  deadline: number,
  observer: Observer | undefined,
): PlatformCertificates {
  const { clock, addresses } = gateway;
  const newKeys = downloadedKeys();
  const nameOf = accountNames();

  async function download(account: WalletAccount, credentials: AlipayCredentials, sn: string) {
    const call: GatewayRequest = {
      method: "alipay.open.app.alipaycert.download",
      content: { alipay_cert_sn: sn },
    };
    const parameters = await signedParameters(clock.now(), account, credentials, call);
    const posted = await post(addresses[account.appEnv], parameters, abortAfter(deadline));
    const body = posted.andThen(answered);
    if (body.isErr()) return [];
    const text = certificateTextIn(body.value, call.method, keys(account, credentials));
    const key = text === undefined ? undefined : trustedKey(text, sn, credentials, clock.now());
    return key === undefined ? [] : [key];
  }

  function keys(account: WalletAccount, credentials: AlipayCredentials): readonly AlipayKey[] {
    if (credentials.certificates === undefined) return credentials.alipayKeys;
    const downloaded = newKeys.list(nameOf(account, credentials), clock.now());
    return [...credentials.alipayKeys, ...downloaded.map(({ name: sn, key }) => ({ sn, key }))];
  }

  return {
    keys,
    downloadMissing: async (account, credentials, sn, occasion, signal) => {
      if (credentials.certificates === undefined || sn === undefined || !/^[0-9a-f]{32}$/.test(sn))
        return false;
      const hasKey = () => keys(account, credentials).some((key) => key.sn === sn);
      if (hasKey()) return false;
      const pending = newKeys.downloadMissing(nameOf(account, credentials), occasion, {
        now: clock.now(),
        pause: PAUSE,
        download: () => download(account, credentials, sn),
        onNew: (key) => reportNewKey(observer, account, key),
      });
      if (pending === undefined || (occasion === "notification" && !pending.begun)) return false;
      await settledOrAborted(pending.done, signal);
      return hasKey();
    },
    expiresAt: (account, credentials) => {
      if (credentials.certificates === undefined) return undefined;
      const downloaded = newKeys.list(nameOf(account, credentials), clock.now());
      // Alipay signs with the certificate that was downloaded last.
      return downloaded.at(-1)?.expiresAt ?? credentials.certificates.endsAt.alipayCertificate;
    },
  };
}

/**
 * Returns the key of a downloaded certificate if the certificate is trusted.
 *
 * The certificate must have the requested SN and lead to a configured root. Its organisation must
 * be that of a configured Alipay certificate, because merchants have certificates of the same
 * authority. Its key must be a strong RSA key and not the app's own key.
 */
function trustedKey(
  text: string,
  sn: string,
  { appKey, certificates }: AlipayCredentials,
  now: number,
): DownloadedKey | undefined {
  const presented = readCertificates(text).unwrapOr([]);
  const leaf = certificateFile(presented).leaves.find((one) => certificateSn(one) === sn);
  if (leaf === undefined || certificates === undefined) return undefined;
  const { trust } = certificates;
  const organization = organizationOf(leaf);
  // Two certificates without an organisation do not match.
  const isAlipays =
    organization !== undefined && trust.leaves.some((pasted) => organizationOf(pasted) === organization);
  const trusted = isAlipays && findTrustedRoot(leaf, presented, trust, now) !== undefined;
  const key = requireStrongRsa(leaf.publicKey).unwrapOr(undefined);
  if (!trusted || key === undefined || key.equals(createPublicKey(appKey))) return undefined;
  return { name: sn, key, validFrom: Date.parse(leaf.validFrom), expiresAt: certificateExpiry(leaf) };
}

function organizationOf({ subject }: X509Certificate): string | undefined {
  return subject.split("\n").find((part) => part.startsWith("O="));
}

/**
 * Creates the function that returns the name of an account in the certificate store.
 *
 * The name includes a digest of the configured certificates. So a downloaded certificate is used
 * only with the certificates that verified it.
 */
function accountNames() {
  const digest = memoizeByObject(digestOf);
  return (
    { walletAppId, appEnv }: Pick<WalletAccount, "walletAppId" | "appEnv">,
    credentials: AlipayCredentials,
  ): string => `${appEnv} ${walletAppId} ${digest(credentials)}`;
}

function digestOf({ certificates }: AlipayCredentials): string {
  const { roots = [], intermediates = [], leaves = [] } = certificates?.trust ?? {};
  const all = [roots, intermediates, leaves].map((some) => some.map((one) => one.fingerprint256));
  return createHash("sha256").update(JSON.stringify(all)).digest("base64");
}
