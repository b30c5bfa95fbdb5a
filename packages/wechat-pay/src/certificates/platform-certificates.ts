import { createHash } from "node:crypto";
import type { Clock, Random, WalletAccount } from "@tillkit/core";
import { abortAfter, type LearnedKey, learnedKeys, settledOrAborted } from "@tillkit/wallet-kit";
import type { WechatPayCredentials } from "../credentials/parse-credentials.js";
import { sendSigned } from "../gateway/call-api.js";
import { exchange } from "../gateway/exchange.js";
import type { GatewayOf } from "../gateway/gateways.js";
import type { KeysByName } from "../signing/verify-message.js";
import { readCertificates } from "./read-certificates.js";

/** Whose certificates: a merchant at the gateway of one environment. */
export type Merchant = Pick<WalletAccount, "accountId" | "appEnv">;

/** WeChat Pay's certificates, those that an operator pasted and those that were downloaded. */
export interface PlatformCertificates {
  /** The keys that may have signed a message for the merchant. */
  keys(merchant: WalletAccount, credentials: WechatPayCredentials): KeysByName;
  /** The downloaded certificates of the merchant that have not expired. */
  downloaded(merchant: WalletAccount, credentials: WechatPayCredentials): readonly LearnedKey[];
  /**
   * Downloads the certificates because a message names `serial`, which `keys` does not hold.
   *
   * Nothing is sent for the name of a public key, which cannot be downloaded, or within a minute of
   * the last download. Ends when `signal` aborts.
   *
   * @returns whether `keys` holds the key now.
   */
  learn(
    account: WalletAccount,
    credentials: WechatPayCredentials,
    serial: string,
    signal: AbortSignal,
  ): Promise<boolean>;
  /**
   * Downloads the certificates in the background if that is due: twice a day for a merchant that
   * has any.
   */
  refresh(account: WalletAccount, credentials: WechatPayCredentials): void;
  /**
   * When the last of the merchant's platform certificates ends, epoch milliseconds: of those that
   * WeChat Pay listed last, or of those that an operator pasted.
   */
  expiresAt(account: WalletAccount, credentials: WechatPayCredentials): number | undefined;
}

/** What certificates are downloaded with. */
export interface PlatformCertificatesOptions {
  readonly clock: Pick<Clock, "now">;
  readonly random: Random;
  readonly gatewayOf: GatewayOf;
  readonly maxAnswerBytes: number;
}

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
/** WeChat Pay recommends less than 12 hours between downloads. */
const REFRESH_EVERY = 11 * 60 * MINUTE;
const PAUSE = MINUTE;
const DEADLINE = 5 * SECOND;
/** How far the signed time of an answer may be from ours, as for every answer. */
const SKEW = 5 * MINUTE;
const PURPOSE = "certificates";

/** Opens the certificates of all merchants. Downloaded ones are kept in memory, within bounds. */
export function platformCertificates(options: PlatformCertificatesOptions): PlatformCertificates {
  const { clock, gatewayOf, maxAnswerBytes } = options;
  const learned = learnedKeys();
  const nameOf = merchantNames();

  function keys(account: WalletAccount, credentials: WechatPayCredentials): KeysByName {
    const merchant = nameOf(account, credentials);
    return {
      get: (serial) => credentials.platformKeys.get(serial) ?? learned.find(merchant, serial, clock.now()),
    };
  }

  function downloaded(account: WalletAccount, credentials: WechatPayCredentials): readonly LearnedKey[] {
    return learned.list(nameOf(account, credentials), clock.now());
  }

  async function download(account: WalletAccount, credentials: WechatPayCredentials) {
    const hosts = gatewayOf(account);
    if (hosts === undefined) return [];
    const deadline = { signal: abortAfter(DEADLINE), until: performance.now() + DEADLINE };
    const request = { method: "GET", path: "/v3/certificates", body: "" } as const;
    const sending = { ...options, account, credentials, request };
    const answer = await sendSigned(sending, hosts, deadline, (host, signed, patience) =>
      exchange(host, signed, { ...patience, maxAnswerBytes }),
    );
    if (answer.isErr()) return [];
    const time = { now: clock.now(), skew: SKEW };
    return readCertificates(credentials.apiV3Key, keys(account, credentials), answer.value, time) ?? [];
  }

  function begin(account: WalletAccount, credentials: WechatPayCredentials) {
    return learned.learn(nameOf(account, credentials), PURPOSE, {
      now: clock.now(),
      pause: PAUSE,
      download: () => download(account, credentials),
    });
  }

  return {
    keys,
    downloaded,
    learn: async (account, credentials, serial, signal) => {
      if (!isCertificateSerial(serial)) return false;
      const learning = begin(account, credentials);
      if (learning === undefined) return false;
      await settledOrAborted(learning.done, signal);
      return keys(account, credentials).get(serial) !== undefined;
    },
    refresh: (account, credentials) => {
      const merchant = nameOf(account, credentials);
      const idle = learned.idleFor(merchant, PURPOSE, clock.now());
      if (idle < REFRESH_EVERY || ![...credentials.platformKeys.keys()].some(isCertificateSerial)) return;
      begin(account, credentials);
    },
    expiresAt: (account, credentials) => {
      const listed = downloaded(account, credentials);
      // WeChat Pay lists every certificate that it uses: a pasted one may have been replaced.
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
 * Names merchants so that what one set of credentials proved is not used with another: the keys
 * that the proof rests on are in the name, as a digest.
 */
function merchantNames() {
  const digests = new WeakMap<WechatPayCredentials, string>();
  return ({ accountId, appEnv }: Merchant, credentials: WechatPayCredentials): string => {
    const digest = digests.get(credentials) ?? digestOf(credentials);
    digests.set(credentials, digest);
    return `${appEnv} ${accountId} ${digest}`;
  };
}

function digestOf({ apiV3Key, merchantSerialNo }: WechatPayCredentials): string {
  return createHash("sha256").update(apiV3Key.export()).update(merchantSerialNo).digest("base64");
}
