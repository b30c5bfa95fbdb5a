import { generateKeyPairSync, type KeyObject } from "node:crypto";
import type { RawNotification } from "@tillkit/core";
import { describe, expect, it } from "vitest";
import { signBytes } from "../shared/rsa.js";
import { readWalletANotification } from "./read-notification.js";
import { messageBytes, seal } from "./sign.js";

const NOW = 1_795_000_000_000;
const SKEW = 300_000;
const SERIAL = "5157F09EFDC096DE15EBE81A47057A7232F1B8E1";
const pair = generateKeyPairSync("rsa", { modulusLength: 2048 });
const keys = {
  merchantKey: pair.privateKey,
  apiV3Key: "0123456789abcdef0123456789abcdef",
  walletKeys: new Map([[SERIAL, pair.publicKey]]),
};

const transaction = JSON.stringify({
  mchid: "1900000109",
  appid: "wx1",
  out_trade_no: "O-1",
  trade_state: "SUCCESS",
  transaction_id: "420000",
  success_time: "2026-11-20T20:30:05+08:00",
  amount: { total: 600, payer_total: 500, currency: "CNY" },
});

interface Spec {
  text?: string;
  body?: string;
  eventType?: string;
  at?: number;
  serial?: string;
  key?: KeyObject;
  sealingKey?: string;
  associatedData?: string;
}

async function aNotification(spec: Spec = {}): Promise<RawNotification> {
  const nonce = "fdasflkja484";
  const ciphertext = seal(spec.sealingKey ?? keys.apiV3Key, nonce, "transaction", spec.text ?? transaction);
  const resource = {
    algorithm: "AEAD_AES_256_GCM",
    ciphertext,
    nonce,
    associated_data: spec.associatedData ?? "transaction",
  };
  const text = spec.body ?? JSON.stringify({ event_type: spec.eventType ?? "TRANSACTION.SUCCESS", resource });
  const body = new TextEncoder().encode(text);
  const timestamp = String(Math.floor((spec.at ?? NOW) / 1000));
  const headers = {
    "wechatpay-timestamp": timestamp,
    "wechatpay-nonce": "n-1",
    "wechatpay-serial": spec.serial ?? SERIAL,
    "wechatpay-signature": await signBytes(messageBytes(timestamp, "n-1", body), spec.key ?? pair.privateKey),
  };
  return { headers, body };
}

function read(notification: RawNotification) {
  return readWalletANotification(keys, notification, { now: NOW, skew: SKEW });
}

async function reason(spec: Spec): Promise<string> {
  return read(await aNotification(spec)).match(
    () => "believed",
    (refusal) => refusal.reason,
  );
}

describe("a notification of WALLET_A", () => {
  it("states the price of the order, not what the payer had left to pay", async () => {
    const event = read(await aNotification())._unsafeUnwrap();
    expect(event).toMatchObject({
      kind: "payment",
      order: {
        state: "PAID",
        amount: 600,
        paidAt: Date.UTC(2026, 10, 20, 12, 30, 5),
        walletTradeNo: "420000",
      },
    });
  });

  it("is fresh within the skew on both sides and stale beyond it", async () => {
    expect(await reason({ at: NOW - SKEW })).toBe("believed");
    expect(await reason({ at: NOW + SKEW })).toBe("believed");
    expect(await reason({ at: NOW - SKEW - 1_000 })).toBe("stale");
    expect(await reason({ at: NOW + SKEW + 1_000 })).toBe("stale");
  });

  it("is a probe when its signature says so, whatever else it holds", async () => {
    const { headers, body } = await aNotification();
    const probe = {
      ...headers,
      "wechatpay-signature": `WECHATPAY/SIGNTEST/${headers["wechatpay-signature"] ?? ""}`,
    };
    expect(read({ headers: probe, body })._unsafeUnwrapErr().reason).toBe("probe");
  });

  it("is unverified with a serial number nobody knows, or a key that is not the serial number's", async () => {
    expect(await reason({ serial: "0000" })).toBe("unverified");
    expect(await reason({ key: generateKeyPairSync("rsa", { modulusLength: 2048 }).privateKey })).toBe(
      "unverified",
    );
  });

  it("is unverified when a signed body holds a resource that its tag does not prove", async () => {
    expect(await reason({ sealingKey: "x".repeat(32) })).toBe("unverified");
    expect(await reason({ associatedData: "refund" })).toBe("unverified");
  });

  it("is unverified when body, time or nonce are not those that were signed", async () => {
    const { headers, body } = await aNotification();
    const reasonOf = (message: RawNotification) => read(message)._unsafeUnwrapErr().reason;
    expect(reasonOf({ headers, body: Uint8Array.of(...body, 0x20) })).toBe("unverified");
    const later = String(Number(headers["wechatpay-timestamp"]) + 1);
    expect(reasonOf({ headers: { ...headers, "wechatpay-timestamp": later }, body })).toBe("unverified");
    expect(reasonOf({ headers: { ...headers, "wechatpay-nonce": "n-2" }, body })).toBe("unverified");
  });

  it("is malformed when a header is missing or the time is no number", async () => {
    const { headers, body } = await aNotification();
    for (const name of Object.keys(headers)) {
      expect(read({ headers: { ...headers, [name]: undefined }, body })._unsafeUnwrapErr().reason, name).toBe(
        "malformed",
      );
    }
    const odd = { ...headers, "wechatpay-timestamp": "1e9" };
    expect(read({ headers: odd, body })._unsafeUnwrapErr().reason).toBe("malformed");
  });

  it("is malformed when what the wallet signed is no message", async () => {
    for (const body of ["", "null", "[]", "{}", '{"event_type":"TRANSACTION.SUCCESS","resource":{}}', "{"]) {
      expect(await reason({ body }), body).toBe("malformed");
    }
    for (const text of ["", "{}", "null", '{"mchid":1}'])
      expect(await reason({ text }), text).toBe("malformed");
    expect(await reason({ eventType: "REFUND.SUCCESS" })).toBe("malformed");
  });

  it("tells of refunds: confirmed, failed, or not decided yet", async () => {
    const states = {
      SUCCESS: "CONFIRMED",
      CLOSED: "FAILED",
      ABNORMAL: "PROCESSING",
      PROCESSING: "PROCESSING",
    };
    for (const [refund_status, state] of Object.entries(states)) {
      const text = JSON.stringify({
        mchid: "1900000109",
        out_trade_no: "O-1",
        out_refund_no: "R-1",
        refund_id: "50000",
        refund_status,
        amount: { total: 600, refund: 100, payer_total: 600, payer_refund: 100 },
      });
      const event = read(await aNotification({ text, eventType: `REFUND.${refund_status}` }))._unsafeUnwrap();
      expect(event).toMatchObject({ kind: "refund", refund: { state, refundNo: "R-1", amount: 100 } });
    }
  });
});
