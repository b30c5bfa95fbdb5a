import { constants, type KeyObject, privateDecrypt } from "node:crypto";
import { expectFailure, expectOk } from "@tillkit/contract-tests";
import { describe, expect, it } from "vitest";
import { Rsa } from "wechatpay-axios-plugin";
import * as z from "zod";
import {
  account,
  credentials,
  modern,
  MODERN_ID,
  platform,
  PLATFORM_SERIAL,
  platformCertificate,
} from "../testing/keys.js";
import { openWallet } from "../testing/open-wallet.js";
import { LIMITS, refundRequest } from "../testing/requests.js";
import type { WireCall, WireReply } from "../testing/wechat-wire.js";

const abnormal = { ...refundRequest, walletRefundNo: "50000000382019052709732678859" };
const toCustomer = {
  to: "customer",
  bankType: "CMB_DEBIT",
  bankAccount: "6225880137395123",
  realName: "李雷",
} as const;

const texts = z.record(z.string(), z.string());
const decrypt = (key: KeyObject, text: string) =>
  privateDecrypt(
    { key, padding: constants.RSA_PKCS1_OAEP_PADDING, oaepHash: "sha1" },
    Buffer.from(text, "base64"),
  ).toString("utf8");
const taken = (changes: object = {}): WireReply => ({
  status: 200,
  body: JSON.stringify({
    refund_id: abnormal.walletRefundNo,
    out_refund_no: abnormal.refundNo,
    status: "PROCESSING",
    out_trade_no: abnormal.outTradeNo,
    amount: { total: 100, refund: 50 },
    ...changes,
  }),
});

async function send(reply: WireReply = taken(), changes: Readonly<Record<string, string>> = {}) {
  const calls: WireCall[] = [];
  const { wallet, wire } = await openWallet((call) => {
    calls.push(call);
    return reply;
  });
  const merchant = { ...account, credentials: { ...credentials, ...changes } };
  const apply = (payout: Parameters<typeof wallet.applyAbnormalRefund>[2]) =>
    wallet.applyAbnormalRefund(merchant, abnormal, payout, LIMITS);
  const bodyOf = (call: WireCall | undefined) => texts.parse(JSON.parse(call?.body ?? "{}"));
  return { apply, calls, wire, bodyOf };
}

describe("applyAbnormalRefund", () => {
  it("sends card and name to the refund's path, encrypted with the platform public key of the header", async () => {
    const { apply, calls, wire, bodyOf } = await send();
    expect(await expectOk(apply(toCustomer))).toMatchObject({
      state: "PROCESSING",
      refundNo: abnormal.refundNo,
      amount: 50,
      outTradeNo: abnormal.outTradeNo,
      merchantId: account.accountId,
    });
    const [call] = calls;
    expect(`${call?.method} ${call?.target}`).toBe(
      `POST /base/v3/refund/domestic/refunds/${abnormal.walletRefundNo}/apply-abnormal-refund`,
    );
    expect(call?.headers["wechatpay-serial"]).toBe(MODERN_ID);
    const { bank_account = "", real_name = "", ...plain } = bodyOf(call);
    expect(plain).toEqual({
      out_refund_no: abnormal.refundNo,
      type: "USER_BANK_CARD",
      bank_type: "CMB_DEBIT",
    });
    expect(decrypt(modern.privateKey, bank_account)).toBe(toCustomer.bankAccount);
    expect(decrypt(modern.privateKey, real_name)).toBe(toCustomer.realName);
    // The third-party SDK can decrypt the field, too.
    expect(Rsa.decrypt(bank_account, modern.privateKey)).toBe(toCustomer.bankAccount);
    expect(call?.body).not.toContain(toCustomer.bankAccount);
    expect(wire.refused).toEqual([]);
  });

  it("encrypts with the platform certificate's key if there is no platform public key, and sends its serial number", async () => {
    const platformKeys = JSON.stringify({ [PLATFORM_SERIAL]: platformCertificate });
    const { apply, calls, bodyOf } = await send(taken(), { platformKeys });
    await expectOk(apply(toCustomer));
    expect(calls[0]?.headers["wechatpay-serial"]).toBe(PLATFORM_SERIAL);
    expect(decrypt(platform.privateKey, bodyOf(calls[0])["bank_account"] ?? "")).toBe(toCustomer.bankAccount);
  });

  it("sends no card if the money goes to the merchant", async () => {
    const { apply, calls, bodyOf } = await send();
    await expectOk(apply({ to: "merchant" }));
    expect(bodyOf(calls[0])).toEqual({ out_refund_no: abnormal.refundNo, type: "MERCHANT_BANK_CARD" });
  });

  it("returns a refusal without the card and the name that WeChat Pay quotes", async () => {
    const message = `card ${toCustomer.bankAccount} is not that of ${toCustomer.realName}`;
    const body = JSON.stringify({ code: "INVALID_REQUEST", message });
    const { apply } = await send({ status: 400, body });
    const failure = await expectFailure(apply(toCustomer));
    expect(failure).toMatchObject({ name: "wallet.rejected", reason: "other", trusted: true });
    expect(failure.detail).toBe("400 INVALID_REQUEST card (card) is not that of (name)");
  });

  it("fails with wallet.unknown without a signed response, and with wallet.rejected for unusable credentials", async () => {
    const unsigned = await send({ ...taken(), proof: "none" });
    expect(await expectFailure(unsigned.apply(toCustomer))).toMatchObject({
      name: "wallet.unknown",
      cause: "unverified",
    });
    const unusable = await send(taken(), { platformKeys: "none" });
    expect(await expectFailure(unusable.apply(toCustomer))).toMatchObject({
      name: "wallet.rejected",
      reason: "configuration",
      trusted: true,
    });
    expect(unusable.calls).toEqual([]);
  });
});
