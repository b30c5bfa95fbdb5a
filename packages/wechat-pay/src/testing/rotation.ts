import type { KeyObject } from "node:crypto";
import type { ServerResponse } from "node:http";
import type { RawNotification, ServiceEvent, Wallet } from "@tillkit/core";
import { headersIn } from "@tillkit/core/ports";
import { systemRandom } from "@tillkit/runtime";
import { onTestFinished } from "vitest";
import { Aes } from "wechatpay-axios-plugin";
import { wechatPayWallet } from "../wechat-pay-wallet.js";
import { makeCertificate } from "./certificate.js";
import * as keys from "./keys.js";
import { openWire, signedHeaders } from "./wechat-wire.js";

/** A private key and its platform certificate. */
export interface PlatformPair {
  readonly serial: string;
  readonly key: KeyObject;
  readonly pem: string;
  readonly expiresAt: number;
}

/** The platform certificates of a rotation. The operator configured the first one. */
export const CERTIFICATES: readonly PlatformPair[] = [
  {
    serial: keys.PLATFORM_SERIAL,
    key: keys.platform.privateKey,
    pem: keys.platformCertificate,
    expiresAt: Date.UTC(2049, 0, 1),
  },
  ...keys.otherPlatforms.map((pair, place) => {
    const serial = `6157F09EFDC096DE15EBE81A47057A7232F1B8E${String(place + 2)}`;
    const expiresAt = Date.UTC(2049, 1 + place, 1);
    const pem = makeCertificate(pair, { serialNo: serial, from: Date.UTC(2020, 0), to: expiresAt });
    return { serial, key: pair.privateKey, pem, expiresAt };
  }),
];

const NONCE = "fdasflkja484";

/** Returns the body of `GET /v3/certificates`, encrypted by a third-party library. */
export function certificatesBody(
  handedOut: readonly { readonly serial: string; readonly pem: string; readonly expireTime?: string }[],
  apiV3Key = keys.API_V3_KEY,
): string {
  return JSON.stringify({
    data: handedOut.map(({ serial, pem, expireTime = "2060-01-01T00:00:00+08:00" }) => ({
      serial_no: serial,
      effective_time: "2026-01-01T00:00:00+08:00",
      expire_time: expireTime,
      encrypt_certificate: {
        algorithm: "AEAD_AES_256_GCM",
        nonce: NONCE,
        associated_data: "certificate",
        ciphertext: Aes.AesGcm.encrypt(pem, apiV3Key, NONCE, "certificate"),
      },
    })),
  });
}

/** The key that signs a message, and its serial number. */
export interface Signer {
  readonly serial: string;
  readonly key: KeyObject;
}

/** A test server that replaces its platform certificates, and its wallet. */
export interface Rotation {
  readonly wallet: Wallet;
  /** The certificates that the wallet reported as new, in order. */
  readonly trusted: readonly ServiceEvent[];
  /** Paths of all requests. */
  readonly requests: readonly string[];
  /** The `Wechatpay-Serial` header of every request, in order. */
  readonly namedKeys: readonly (string | undefined)[];
  /** Returns how often the certificates were requested. */
  downloads(): number;
  /** Sets the key that signs all later responses. */
  sign(signer: Signer): void;
  /** Sets the later responses with certificates, and their signer. `hang` sends no response. */
  handOut(body: string, signer: Signer | undefined | "hang"): void;
  advance(ms: number): void;
  readonly now: () => number;
  /** Returns the notification of a payment, encrypted with the APIv3 key. */
  notification(signer: Signer, apiV3Key?: string): RawNotification;
}

/** Creates the server and the wallet for the running test. Both use the clock of `advance`. */
export async function openRotation(): Promise<Rotation> {
  const [current] = CERTIFICATES;
  if (current === undefined) throw new Error("There is no certificate.");
  let now = keys.NOW;
  let signer: Signer = current;
  let handedOut: readonly [string, Signer | undefined | "hang"] = [certificatesBody([current]), current];
  const requests: string[] = [];
  const trusted: ServiceEvent[] = [];
  const namedKeys: (string | undefined)[] = [];
  const wire = await openWire(
    ({ target, headers }, response) => {
      requests.push(target.replace("/base", ""));
      namedKeys.push(headersIn(headers).get("wechatpay-serial") ?? undefined);
      if (!target.endsWith("/v3/certificates"))
        send(response, 404, '{"code":"ORDER_NOT_EXIST"}', signer, now);
      else if (handedOut[1] !== "hang") send(response, 200, handedOut[0], handedOut[1], now);
      return undefined;
    },
    () => now,
  );
  onTestFinished(() => wire.close());
  const wallet = wechatPayWallet({
    clock: { now: () => now },
    random: systemRandom,
    gateways: { DEV: wire.url, PROD: wire.url },
    // Longer than any test, so that only a call's own deadline can end a download that hangs.
    certificateDeadline: 3_600_000,
    observer: {
      onEvent: (event) => {
        if (event.type === "wallet.key-trusted") trusted.push(event);
      },
    },
  });
  return {
    wallet,
    trusted,
    requests,
    namedKeys,
    downloads: () => requests.filter((path) => path === "/v3/certificates").length,
    sign: (next) => {
      signer = next;
    },
    handOut: (body, by) => {
      handedOut = [body, by];
    },
    advance: (ms) => {
      now += ms;
    },
    now: () => now,
    notification: (by, apiV3Key = keys.API_V3_KEY) => {
      const body = JSON.stringify({
        event_type: "TRANSACTION.SUCCESS",
        resource: {
          algorithm: "AEAD_AES_256_GCM",
          ciphertext: Aes.AesGcm.encrypt(JSON.stringify(TRANSACTION), apiV3Key, NONCE, "transaction"),
          associated_data: "transaction",
          nonce: NONCE,
        },
      });
      return { headers: new Headers(signedHeaders(body, { ...by, now })), body: Buffer.from(body) };
    },
  };
}

const TRANSACTION = {
  appid: keys.account.walletAppId,
  mchid: keys.account.accountId,
  out_trade_no: "O-1",
  trade_state: "SUCCESS",
  transaction_id: "4200001",
  success_time: "2026-11-20T20:00:00+08:00",
  amount: { total: 100, payer_total: 90, currency: "CNY" },
};

function send(
  response: ServerResponse,
  status: number,
  body: string,
  signer: Signer | undefined,
  now: number,
): void {
  const proof = signer === undefined ? {} : signedHeaders(body, { ...signer, now });
  response.writeHead(status, { "content-type": "application/json", ...proof }).end(body);
}
