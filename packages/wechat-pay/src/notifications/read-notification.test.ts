import { expectFailure, expectOk } from "@tillkit/contract-tests";
import type { RawNotification } from "@tillkit/core";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { Aes } from "wechatpay-axios-plugin";
import { credentialsCache } from "../credentials/credentials-cache.js";
import type { WechatPayCredentials } from "../credentials/parse-credentials.js";
import { account, API_V3_KEY, credentials, MODERN_ID, modern, NOW } from "../testing/keys.js";
import { request } from "../testing/requests.js";
import { signedHeaders } from "../testing/wechat-wire.js";
import { notificationReader } from "./read-notification.js";

const noDownload = {
  keys: (_account: unknown, { platformKeys }: Pick<WechatPayCredentials, "platformKeys">) => platformKeys,
  downloadMissing: async () => false,
};
const read = notificationReader(credentialsCache(1), noDownload);
const TIME = { now: NOW, skew: 300_000 };
const NONCE = "fdasflkja484";

const transaction = {
  appid: account.walletAppId,
  mchid: account.accountId,
  out_trade_no: request.outTradeNo,
  trade_state: "SUCCESS",
  transaction_id: "4200001",
  success_time: "2026-11-20T20:00:00+08:00",
  amount: { total: 100, payer_total: 90, currency: "CNY" },
};
const refund = {
  mchid: account.accountId,
  out_trade_no: request.outTradeNo,
  out_refund_no: "R-1",
  refund_id: "5001",
  refund_status: "SUCCESS",
  amount: { total: 100, refund: 50 },
};

function resourceOf(reported: unknown, { key = API_V3_KEY, data = "transaction" } = {}) {
  const ciphertext = Aes.AesGcm.encrypt(JSON.stringify(reported), key, NONCE, data);
  return { algorithm: "AEAD_AES_256_GCM", ciphertext, associated_data: data, nonce: NONCE };
}

function message(reported: unknown, event_type: string, changes: object = {}): string {
  return JSON.stringify({ id: "EV-1", event_type, resource: resourceOf(reported), ...changes });
}

function signed(body: string): RawNotification {
  const signer = { serial: MODERN_ID, key: modern.privateKey, now: NOW };
  return { headers: new Headers(signedHeaders(body, signer)), body: Buffer.from(body) };
}

const refusal = async (notification: RawNotification) =>
  (await expectFailure(read(account, notification, TIME))).reason;

describe("readNotification", () => {
  it("reads a payment", async () => {
    const event = await expectOk(read(account, signed(message(transaction, "TRANSACTION.SUCCESS")), TIME));
    expect(event).toMatchObject({
      kind: "payment",
      order: { state: "PAID", outTradeNo: request.outTradeNo, amount: 100, currency: "CNY" },
    });
  });

  it("reads every outcome of a refund", async () => {
    const ends = [
      ["SUCCESS", "CONFIRMED"],
      ["CLOSED", "FAILED"],
      ["ABNORMAL", "ABNORMAL"],
    ] as const;
    for (const [refund_status, state] of ends) {
      const reported = message({ ...refund, refund_status }, `REFUND.${refund_status}`);
      expect(await expectOk(read(account, signed(reported), TIME))).toMatchObject({
        kind: "refund",
        refund: { state, refundNo: "R-1", amount: 50, merchantId: account.accountId },
      });
    }
  });

  it("reads a resource without associated data", async () => {
    const { associated_data: _none, ...bare } = resourceOf(transaction, { data: "" });
    for (const resource of [bare, { ...bare, associated_data: null }, { ...bare, associated_data: "" }]) {
      const reported = message(transaction, "TRANSACTION.SUCCESS", { resource });
      expect(await expectOk(read(account, signed(reported), TIME))).toMatchObject({ kind: "payment" });
    }
  });

  it("accepts no resource encrypted with another key or with another tag, although the message is signed", async () => {
    const other = resourceOf(transaction, { key: "f".repeat(32) });
    const { ciphertext, ...rest } = resourceOf(transaction);
    const bytes = Buffer.from(ciphertext, "base64");
    bytes[bytes.length - 1] = bytes.at(-1)! ^ 1;
    const tampered = { ...rest, ciphertext: bytes.toString("base64") };
    for (const resource of [other, tampered, { ...rest, ciphertext: "" }]) {
      const reported = message(transaction, "TRANSACTION.SUCCESS", { resource });
      expect(await refusal(signed(reported))).toBe("unverified");
    }
  });

  it("accepts no message of another kind, although it is signed", async () => {
    const bodies = [
      "",
      "null",
      "[]",
      "{}",
      message(transaction, "COUPON.USE"),
      message(transaction, "REFUND.SUCCESS"),
      message(refund, "TRANSACTION.SUCCESS"),
      message("text", "TRANSACTION.SUCCESS"),
      message(transaction, "TRANSACTION.SUCCESS", {
        resource: { ...resourceOf(transaction), algorithm: "AEAD_SM4_GCM" },
      }),
    ];
    for (const body of bodies) expect(await refusal(signed(body)), body).toBe("malformed");
  });

  it("never throws for any bytes and headers, signed or not", async () => {
    const header = fc
      .constantFrom("signature", "serial", "timestamp", "nonce")
      .map((name) => `wechatpay-${name}`);
    await fc.assert(
      fc.asyncProperty(
        fc.dictionary(header, fc.string({ unit: "binary" })),
        fc.uint8Array({ maxLength: 200 }),
        async (any, body) => {
          const headers = { get: (name: string) => any[name] ?? null };
          expect(["malformed", "unverified", "probe"]).toContain(await refusal({ headers, body }));
        },
      ),
    );
    await fc.assert(
      fc.asyncProperty(fc.json(), async (body) => {
        expect(await refusal(signed(body))).toBe("malformed");
      }),
      { numRuns: 30 },
    );
  });

  it("accepts nothing for an account whose credentials do not work", async () => {
    const broken = { ...account, credentials: { ...credentials, platformKeys: "{}" } };
    const notification = signed(message(transaction, "TRANSACTION.SUCCESS"));
    expect((await expectFailure(read(broken, notification, TIME))).reason).toBe("unverified");
  });
});
