import { createHash } from "node:crypto";
import type { Clock, Observer, Random, WalletAccount } from "@tillkit/core";
import {
  abortAfter,
  type DownloadedKey,
  downloadedKeys,
  memoizeByObject,
  reportNewKey,
  settledOrAborted,
} from "@tillkit/wallet-kit";
import type { WechatPayCredentials } from "../credentials/parse-credentials.js";
import { sendSigned } from "../gateway/send-signed.js";
import { sendHttpRequest } from "../gateway/send-http-request.js";
import type { GatewayOf } from "../gateway/gateways.js";
import { type KeysByName, MAX_RESPONSE_SKEW } from "../signing/verify-message.js";
import { readDownloadedCertificates } from "./read-downloaded-certificates.js";

/** The owner of certificates: a merchant at the gateway of one environment. */
export type Merchant = Pick<WalletAccount, "accountId" | "appEnv">;

/** WeChat Pay's platform certificates: those that an operator configured, and downloaded ones. */
export interface PlatformCertificates {
  /** Returns the keys that may sign messages for the merchant, by name. */
  keys(merchant: WalletAccount, credentials: WechatPayCredentials): KeysByName;
  /** Returns the merchant's downloaded certificates that have not expired. */
  downloaded(merchant: WalletAccount, credentials: WechatPayCredentials): readonly DownloadedKey[];
  /**
   * Downloads the certificates because a message names `serial`, which `keys` does not contain.
   *
   * Sends no request if `serial` names a public key, which cannot be downloaded, or if the last
   * download started less than a minute ago. Resolves when `signal` aborts, at the latest.
   * @returns whether `keys` contains the key now.
   */
  downloadMissing(
    account: WalletAccount,
    credentials: WechatPayCredentials,
    serial: string,
    signal: AbortSignal,
  ): Promise<boolean>;
  /**
   * Starts a download in the background if the last one started 11 or more hours ago.
   *
   * Does nothing if the operator configured no platform certificate for the merchant.
   */
  refresh(account: WalletAccount, credentials: WechatPayCredentials): void;
  /**
   * Returns the latest expiry of the merchant's platform certificates, in epoch milliseconds.
   *
   * Uses the downloaded certificates, or the configured ones if none was downloaded.
   */
  expiresAt(account: WalletAccount, credentials: WechatPayCredentials): number | undefined;
}

/** Dependencies of {@link platformCertificates}. */
export interface PlatformCertificatesOptions {
  readonly clock: Pick<Clock, "now">;
  readonly random: Random;
  readonly gatewayOf: GatewayOf;
  readonly maxAnswerBytes: number;
  /** Timeout of a download in milliseconds. */
  readonly certificateDeadline: number;
  /** Receives `wallet.key-trusted` for each certificate that is new to a merchant. */
  readonly observer?: Observer | undefined;
}

const MINUTE = 60_000;
/** WeChat Pay recommends less than 12 hours between downloads. */
const REFRESH_EVERY = 11 * 60 * MINUTE;
const PAUSE = MINUTE;
const PURPOSE = "certificates";

/**
 * Creates the certificate store of all merchants. Keeps downloads in memory, within fixed limits.
 */
export function platformCertificates(options: PlatformCertificatesOptions): PlatformCertificates {
  const { clock, gatewayOf, maxAnswerBytes, certificateDeadline, observer } = options;
  const newKeys = downloadedKeys();
  const nameOf = accountNames();

  function keys(account: WalletAccount, credentials: WechatPayCredentials): KeysByName {
    const merchant = nameOf(account, credentials);
    return {
      get: (serial) => credentials.platformKeys.get(serial) ?? newKeys.find(merchant, serial, clock.now()),
    };
  }

  function downloaded(account: WalletAccount, credentials: WechatPayCredentials): readonly DownloadedKey[] {
    return newKeys.list(nameOf(account, credentials), clock.now());
  }

  async function download(account: WalletAccount, credentials: WechatPayCredentials) {
    const hosts = gatewayOf(account);
    if (hosts === undefined) return [];
    const deadline = {
      signal: abortAfter(certificateDeadline),
      until: performance.now() + certificateDeadline,
    };
    const request = { method: "GET", path: "/v3/certificates", body: "" } as const;
    const sending = { ...options, account, credentials, request };
    const answer = await sendSigned(sending, hosts, deadline, (host, signed, timeouts) =>
      sendHttpRequest(host, signed, { ...timeouts, maxAnswerBytes }),
    );
    if (answer.isErr()) return [];
    const time = { now: clock.now(), skew: MAX_RESPONSE_SKEW };
    return (
      readDownloadedCertificates(credentials.apiV3Key, keys(account, credentials), answer.value, time) ?? []
    );
  }

  function begin(account: WalletAccount, credentials: WechatPayCredentials) {
    return newKeys.downloadMissing(nameOf(account, credentials), PURPOSE, {
      now: clock.now(),
      pause: PAUSE,
      download: () => download(account, credentials),
      // WeChat Pay lists the configured certificates, too.
      onNew: (key) => {
        if (!credentials.platformKeys.has(key.name)) reportNewKey(observer, account, key);
      },
    });
  }

  return {
    keys,
    downloaded,
    downloadMissing: async (account, credentials, serial, signal) => {
      if (!isCertificateSerial(serial)) return false;
      const pending = begin(account, credentials);
      if (pending === undefined) return false;
      await settledOrAborted(pending.done, signal);
      return keys(account, credentials).get(serial) !== undefined;
    },
    refresh: (account, credentials) => {
      const merchant = nameOf(account, credentials);
      const idle = newKeys.idleFor(merchant, PURPOSE, clock.now());
      if (idle < REFRESH_EVERY || ![...credentials.platformKeys.keys()].some(isCertificateSerial)) return;
      begin(account, credentials);
    },
    expiresAt: (account, credentials) => {
      const listed = downloaded(account, credentials);
      // WeChat Pay lists every certificate in use, so a configured certificate may be outdated.
      const ends =
        listed.length > 0
          ? listed.map(({ expiresAt }) => expiresAt)
          : credentials.platformCertificates.map(({ validTo }) => Date.parse(validTo));
      return ends.length === 0 ? undefined : Math.max(...ends);
    },
  };
}

function isCertificateSerial(name: string): boolean {
  return /^[0-9A-F]{8,64}$/.test(name);
}

/**
 * Creates the function that returns the name of an account in the certificate store.
 *
 * The name includes a digest of the APIv3 key and the merchant's serial number. So certificates
 * that one set of credentials verified are not used with another set.
 */
function accountNames() {
  const digest = memoizeByObject(digestOf);
  return ({ accountId, appEnv }: Merchant, credentials: WechatPayCredentials): string =>
    `${appEnv} ${accountId} ${digest(credentials)}`;
}

function digestOf({ apiV3Key, merchantSerialNo }: WechatPayCredentials): string {
  return createHash("sha256").update(apiV3Key.export()).update(merchantSerialNo).digest("base64");
}
