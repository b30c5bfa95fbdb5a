import { createHash, createPublicKey, type X509Certificate } from "node:crypto";
import type { WalletAccount } from "@tillkit/core";
import { abortAfter, type LearnedKey, learnedKeys, settledOrAborted } from "@tillkit/wallet-kit";
import { certificateFile, endOf, rootOf } from "./certificate-chain.js";
import { certificateSn } from "./certificate-sn.js";
import type { AlipayCredentials, AlipayKey } from "../credentials/parse-credentials.js";
import { type Ask, answered, type Gateway, post, signedParameters } from "../gateway/call-api.js";
import { certificateTextIn } from "../gateway/read-answer.js";
import { certificateOf, readCertificates, strongRsa } from "../credentials/read-key.js";
import { err, ok } from "neverthrow";

/**
 * What names an unknown certificate: an answer of Alipay's gateway, or a message that anybody can
 * send.
 */
export type Occasion = "answer" | "notification";

/** Alipay's certificates, those that an operator pasted and those that were downloaded. */
export interface PlatformCertificates {
  /** The keys that may have signed a message for the account. */
  keys(account: WalletAccount, credentials: AlipayCredentials): readonly AlipayKey[];
  /**
   * Downloads the certificate that a message calls `sn`, if `keys` does not hold it.
   *
   * Only in certificate mode, and once a minute at most for each account and occasion: what
   * strangers send cannot use up what answers need. A notification does not wait for a download
   * that another one began. Ends when `signal` aborts.
   *
   * @returns whether `keys` holds the certificate now and did not before.
   */
  learn(
    account: WalletAccount,
    credentials: AlipayCredentials,
    sn: string | undefined,
    occasion: Occasion,
    signal: AbortSignal,
  ): Promise<boolean>;
  /**
   * When Alipay's certificate ends, epoch milliseconds: the one that was downloaded last, or the
   * last of those that an operator pasted.
   */
  expiresAt(account: WalletAccount, credentials: AlipayCredentials): number | undefined;
}

const PAUSE = 60_000;
const DEADLINE = 5_000;

/** Opens the certificates of all accounts. Downloaded ones are kept in memory, within bounds. */
export function platformCertificates(gateway: Pick<Gateway, "clock" | "addresses">): PlatformCertificates {
  const { clock, addresses } = gateway;
  const learned = learnedKeys();
  const nameOf = accountNames();

  async function download(account: WalletAccount, credentials: AlipayCredentials, sn: string) {
    const ask: Ask = { method: "alipay.open.app.alipaycert.download", content: { alipay_cert_sn: sn } };
    const parameters = await signedParameters(clock.now(), account, credentials, ask);
    const posted = await post(addresses[account.appEnv], parameters, abortAfter(DEADLINE));
    const body = posted.andThen(answered);
    if (body.isErr()) return [];
    const text = certificateTextIn(body.value, ask.method, keys(account, credentials));
    const key = text === undefined ? undefined : trustedKey(text, sn, credentials, clock.now());
    return key === undefined ? [] : [key];
  }

  function keys(account: WalletAccount, credentials: AlipayCredentials): readonly AlipayKey[] {
    if (credentials.certificates === undefined) return credentials.alipayKeys;
    const downloaded = learned.list(nameOf(account, credentials), clock.now());
    return [...credentials.alipayKeys, ...downloaded.map(({ name: sn, key }) => ({ sn, key }))];
  }

  return {
    keys,
    learn: async (account, credentials, sn, occasion, signal) => {
      if (credentials.certificates === undefined || sn === undefined || !/^[0-9a-f]{32}$/.test(sn))
        return false;
      const holds = () => keys(account, credentials).some((key) => key.sn === sn);
      if (holds()) return false;
      const learning = learned.learn(nameOf(account, credentials), occasion, {
        now: clock.now(),
        pause: PAUSE,
        download: () => download(account, credentials, sn),
      });
      if (learning === undefined || (occasion === "notification" && !learning.begun)) return false;
      await settledOrAborted(learning.done, signal);
      return holds();
    },
    expiresAt: (account, credentials) => {
      if (credentials.certificates === undefined) return undefined;
      const downloaded = learned.list(nameOf(account, credentials), clock.now());
      // What was downloaded last is what Alipay signs with now.
      return downloaded.at(-1)?.expiresAt ?? credentials.certificates.endsAt.alipayCertificate;
    },
  };
}

/**
 * The key of a downloaded certificate, if it is the one that was asked for, leads to a root that
 * the operator pasted, and is of the organisation of a certificate that the operator pasted:
 * merchants have certificates of the same authority.
 */
function trustedKey(
  text: string,
  sn: string,
  { appKey, certificates }: AlipayCredentials,
  now: number,
): LearnedKey | undefined {
  const presented = certificatesIn(text);
  const leaf = certificateFile(presented).leaves.find((one) => certificateSn(one) === sn);
  if (leaf === undefined || certificates === undefined) return undefined;
  const { trust } = certificates;
  const organization = organizationOf(leaf);
  // Two certificates without an organisation have none in common.
  const isAlipays =
    organization !== undefined && trust.leaves.some((pasted) => organizationOf(pasted) === organization);
  const trusted = isAlipays && rootOf(leaf, presented, trust, now) !== undefined;
  const key = strongRsa(leaf.publicKey).unwrapOr(undefined);
  if (!trusted || key === undefined || key.equals(createPublicKey(appKey))) return undefined;
  return { name: sn, key, expiresAt: endOf(leaf) };
}

function certificatesIn(text: string): readonly X509Certificate[] {
  return readCertificates<X509Certificate>(text, (material) => {
    const certificate = certificateOf(material);
    return certificate === undefined ? err("unreadable") : ok(certificate);
  }).unwrapOr([]);
}

function organizationOf({ subject }: X509Certificate): string | undefined {
  return subject.split("\n").find((part) => part.startsWith("O="));
}

/** Names accounts so that a certificate is used only with the roots that it was judged by. */
function accountNames() {
  const digests = new WeakMap<AlipayCredentials, string>();
  return (
    { walletAppId, appEnv }: Pick<WalletAccount, "walletAppId" | "appEnv">,
    credentials: AlipayCredentials,
  ): string => {
    const digest = digests.get(credentials) ?? digestOf(credentials);
    digests.set(credentials, digest);
    return `${appEnv} ${walletAppId} ${digest}`;
  };
}

function digestOf({ certificates }: AlipayCredentials): string {
  const { roots = [], intermediates = [], leaves = [] } = certificates?.trust ?? {};
  const all = [roots, intermediates, leaves].map((some) => some.map((one) => one.fingerprint256));
  return createHash("sha256").update(JSON.stringify(all)).digest("base64");
}
