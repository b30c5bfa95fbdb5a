import { anAccount, AT, expectFailure, expectOk, MINUTE, unique } from "@tillkit/contract-tests";
import {
  PAY_CHANNELS,
  PAY_SOURCES,
  type PaymentRequest,
  type PayPayload,
  type WalletFailure,
} from "@tillkit/core";
import { describe, expect, it } from "vitest";
import { memoryWallet } from "./memory-wallet.js";
import { testClock } from "./test-clock.js";

const LIMITS = { deadline: 1_000 };
const LOST: WalletFailure = { name: "wallet.unknown", cause: "timeout", detail: "scripted" };

function aRequest(changes: Partial<PaymentRequest> = {}): PaymentRequest {
  const outTradeNo = unique("01TRADE");
  return {
    outTradeNo,
    amount: 601,
    goodsTitle: "VIP 会员",
    paySource: "NATIVE",
    notifyUrl: `https://pay.example/notify/${outTradeNo}`,
    returnUrl: "https://pay.example/return",
    expiresAt: AT + 120 * MINUTE,
    ...changes,
  };
}

describe.each(PAY_CHANNELS)("memoryWallet: %s", (payChannel) => {
  const clock = testClock(AT);
  const wallet = memoryWallet(payChannel, clock);
  const account = anAccount({ payChannel });
  const read = (notification: ReturnType<typeof wallet.notificationFor>, now = clock.now(), by = account) =>
    wallet.readNotification(by, notification, { now, skew: 5 * MINUTE });
  const prepared = async (changes: Partial<PaymentRequest> = {}): Promise<PaymentRequest> => {
    const request = aRequest(changes);
    await expectOk(wallet.prepare(account, request, LIMITS));
    return request;
  };
  const paid = async (changes: Partial<PaymentRequest> = {}): Promise<PaymentRequest> => {
    const request = await prepared(changes);
    wallet.pay(request.outTradeNo);
    return request;
  };
  const aRefund = ({ outTradeNo, amount: orderAmount, notifyUrl }: PaymentRequest, amount: number) => {
    return { outTradeNo, refundNo: unique("refund-"), amount, orderAmount, reason: "returned", notifyUrl };
  };

  it("finds nothing wrong with an account of its channel but what the account says itself", async () => {
    expect(await wallet.checkAccount(account)).toEqual([]);
    expect(await wallet.checkAccount({ ...account, credentials: { problem: "no key" } })).toEqual(["no key"]);
    const other = payChannel === "WALLET_A" ? "WALLET_B" : "WALLET_A";
    expect(await wallet.checkAccount({ ...account, payChannel: other })).toHaveLength(1);
  });

  it("needs no call for what WALLET_B signs on its own", () => {
    const local = PAY_SOURCES.filter(
      (paySource) => wallet.localPrepayment(account, aRequest({ paySource }), AT) !== undefined,
    );
    expect(local).toEqual(payChannel === "WALLET_B" ? ["APP", "H5"] : []);
  });

  it.each(PAY_SOURCES)("opens a payment: %s", async (paySource) => {
    const request = aRequest({ paySource });
    const prepayment =
      wallet.localPrepayment(account, request, AT) ??
      (await expectOk(wallet.prepare(account, request, LIMITS)));
    expect(prepayment.validUntil).toBeGreaterThan(AT);
    expect(prepayment.validUntil).toBeLessThanOrEqual(request.expiresAt);
    const sign = () => expectOk(wallet.payload(account, request, prepayment, AT));
    const payload = await sign();
    expect(await sign()).toEqual(payload);
    expect(JSON.stringify(payload)).toContain("FAKE-SIGNATURE-");
    wallet.pay(request.outTradeNo);
    expect(await expectOk(wallet.query(account, request.outTradeNo, LIMITS))).toMatchObject({
      state: "PAID",
      amount: 601,
      currency: "CNY",
      paidAt: clock.now(),
      walletAppId: account.walletAppId,
      merchantId: account.accountId,
    });
  });

  it("takes an identical request again and rejects a changed one", async () => {
    const request = await prepared();
    await expectOk(wallet.prepare(account, request, LIMITS));
    expect(wallet.prepareCount(request.outTradeNo)).toBe(2);
    for (const changed of [
      { amount: 1 },
      { goodsTitle: "x" },
      { notifyUrl: "https://x.example" },
      { expiresAt: AT },
      { paySource: "APP" },
    ] as const) {
      const failure = await expectFailure(wallet.prepare(account, { ...request, ...changed }, LIMITS));
      expect(failure).toMatchObject({ name: "wallet.rejected", reason: "conflict" });
    }
  });

  it("rejects a paid and a closed order, each with its reason", async () => {
    const request = await paid();
    expect(await expectFailure(wallet.prepare(account, request, LIMITS))).toMatchObject({ reason: "paid" });
    expect(await expectOk(wallet.close(account, request.outTradeNo, LIMITS))).toBe("paid");
    const other = await prepared();
    expect(await expectOk(wallet.close(account, other.outTradeNo, LIMITS))).toBe("closed");
    expect(await expectFailure(wallet.prepare(account, other, LIMITS))).toMatchObject({ reason: "closed" });
    expect(() => wallet.pay(other.outTradeNo)).toThrow(/CLOSED/);
  });

  it("knows no order it was never shown, and none of another merchant", async () => {
    expect(await expectOk(wallet.query(account, "none", LIMITS))).toBeUndefined();
    expect(await expectOk(wallet.close(account, "none", LIMITS))).toBe("absent");
    expect(() => wallet.pay("none")).toThrow(/never shown/);
    const { outTradeNo } = await prepared();
    const other = { ...account, accountId: "another" };
    expect(await expectOk(wallet.query(other, outTradeNo, LIMITS))).toBeUndefined();
    expect(await expectOk(wallet.close(other, outTradeNo, LIMITS))).toBe("absent");
  });

  it("fails the next call as told, before or after doing what it was asked", async () => {
    const request = aRequest();
    wallet.failNext("prepare", LOST);
    expect(await expectFailure(wallet.prepare(account, request, LIMITS))).toEqual(LOST);
    expect(await expectOk(wallet.query(account, request.outTradeNo, LIMITS))).toBeUndefined();
    wallet.failNext("prepare", LOST, "after");
    expect(await expectFailure(wallet.prepare(account, request, LIMITS))).toEqual(LOST);
    expect(await expectOk(wallet.query(account, request.outTradeNo, LIMITS))).toMatchObject({
      state: "OPEN",
    });
    await expectOk(wallet.prepare(account, request, LIMITS));
    expect(wallet.prepareCount(request.outTradeNo)).toBe(3);
  });

  it("refunds a number once, up to the amount", async () => {
    const request = await paid();
    const asked = aRefund(request, 600);
    expect(await expectOk(wallet.queryRefund(account, asked, LIMITS))).toBeUndefined();
    const made = await expectOk(wallet.refund(account, asked, LIMITS));
    expect(made).toMatchObject({ state: "CONFIRMED", refundNo: asked.refundNo, amount: 600 });
    expect(await expectOk(wallet.refund(account, asked, LIMITS))).toEqual(made);
    expect(await expectOk(wallet.queryRefund(account, asked, LIMITS))).toEqual(made);
    expect(await expectFailure(wallet.refund(account, { ...asked, amount: 1 }, LIMITS))).toMatchObject({
      reason: "conflict",
    });
    const tooMuch = await expectFailure(wallet.refund(account, aRefund(request, 2), LIMITS));
    expect(tooMuch).toMatchObject({ name: "wallet.rejected" });
    expect(await expectOk(wallet.query(account, request.outTradeNo, LIMITS))).toMatchObject({
      state: "PAID",
    });
    await expectOk(wallet.refund(account, aRefund(request, 1), LIMITS));
    expect(await expectOk(wallet.query(account, request.outTradeNo, LIMITS))).toMatchObject({
      state: "REFUNDED",
    });
  });

  it("refunds nothing that is not paid, or paid with another amount", async () => {
    const open = await prepared();
    const request = await paid();
    for (const asked of [aRefund(open, 1), { ...aRefund(request, 1), orderAmount: 600 }]) {
      expect(await expectFailure(wallet.refund(account, asked, LIMITS))).toMatchObject({
        name: "wallet.rejected",
      });
    }
  });

  it("writes notifications it can read, saying what a query says", async () => {
    const request = await paid();
    const event = await expectOk(read(wallet.notificationFor(request.outTradeNo)));
    const order = await expectOk(wallet.query(account, request.outTradeNo, LIMITS));
    expect(event).toEqual({ kind: "payment", order });
    const again = await expectOk(read(wallet.notificationFor(request.outTradeNo)));
    expect(again).toEqual(event);
  });

  it("states what a test wants it to, with evidence of its own", async () => {
    const request = await paid();
    const genuine = await expectOk(read(wallet.notificationFor(request.outTradeNo)));
    const wrong = await expectOk(read(wallet.notificationFor(request.outTradeNo, { amount: 1 })));
    expect(wrong).toMatchObject({ kind: "payment", order: { amount: 1 } });
    if (genuine.kind !== "payment" || wrong.kind !== "payment") throw new Error("Not payments.");
    expect(wrong.order.evidence).not.toBe(genuine.order.evidence);
  });

  it("believes no byte that was changed, no other merchant's message and no bare body", async () => {
    const request = await paid();
    const { headers, body } = wallet.notificationFor(request.outTradeNo);
    for (let position = 0; position < body.length; position += 1) {
      const changed = Uint8Array.from(body);
      changed[position] = (body[position] ?? 0) ^ 1;
      expect(await expectFailure(read({ headers, body: changed }))).toMatchObject({ reason: "unverified" });
    }
    const shifted = { ...headers, "x-memory-wallet-timestamp": String(clock.now() + 1) };
    expect(await expectFailure(read({ headers: shifted, body }))).toMatchObject({ reason: "unverified" });
    const other = { ...account, accountId: "another" };
    const elsewhere = await expectFailure(read({ headers, body }, clock.now(), other));
    expect(elsewhere).toMatchObject({ reason: "unverified" });
    expect(await expectFailure(read({ headers: {}, body }))).toMatchObject({ reason: "malformed" });
  });

  it("takes an old message for stale on WALLET_A only", async () => {
    const request = await paid();
    const notification = wallet.notificationFor(request.outTradeNo);
    const late = await read(notification, clock.now() + 5 * MINUTE + 1);
    expect(late.isErr() && late.error.reason).toBe(payChannel === "WALLET_A" ? "stale" : false);
    expect((await read(notification, clock.now() + 5 * MINUTE)).isOk()).toBe(true);
  });
});

describe("memoryWallet: what the two wallets want to read", () => {
  it("is nothing or a JSON error for WALLET_A, one of two words for WALLET_B", () => {
    const [a, b] = [memoryWallet("WALLET_A"), memoryWallet("WALLET_B")];
    expect(a.answer(true)).toMatchObject({ status: 204, body: "" });
    expect(a.answer(false)).toMatchObject({ status: 401, contentType: "application/json" });
    expect(JSON.parse(a.answer(false).body)).toMatchObject({ code: "FAIL" });
    expect(b.answer(true)).toEqual({ status: 200, contentType: "text/plain", body: "success" });
    expect(b.answer(false)).toEqual({ status: 200, contentType: "text/plain", body: "fail" });
  });
});

describe("memoryWallet: payloads", () => {
  const payloadOf = async (payChannel: "WALLET_A" | "WALLET_B", at: number): Promise<PayPayload> => {
    const wallet = memoryWallet(payChannel, testClock(at));
    const account = anAccount({ payChannel });
    const request = aRequest({ paySource: "APP" });
    const prepayment =
      wallet.localPrepayment(account, request, at) ??
      (await expectOk(wallet.prepare(account, request, LIMITS)));
    return expectOk(wallet.payload(account, request, prepayment, at));
  };

  it("have the members of the WALLET_A payload, with whole seconds", async () => {
    const payload = await payloadOf("WALLET_A", AT);
    expect(Object.keys(payload)).toEqual([
      "appid",
      "partnerid",
      "prepayid",
      "noncestr",
      "package",
      "timestamp",
      "sign",
    ]);
    expect(payload).toMatchObject({ timestamp: Math.floor(AT / 1_000) });
  });

  it("have the members of the WALLET_B payload, with the time in China and the amount in yuan", async () => {
    const payload = await payloadOf("WALLET_B", Date.UTC(2026, 11, 31, 16, 0, 1));
    expect(Object.keys(payload).toSorted()).toEqual([
      "app_id",
      "biz_content",
      "charset",
      "format",
      "method",
      "notify_url",
      "return_url",
      "sign",
      "sign_type",
      "timestamp",
      "version",
    ]);
    expect(payload).toMatchObject({ timestamp: "2027-01-01 00:00:01" });
    const content = "biz_content" in payload ? payload.biz_content : "";
    expect(JSON.parse(content)).toMatchObject({ total_amount: "6.01", subject: "VIP 会员" });
  });
});
