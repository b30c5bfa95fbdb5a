import { anAccount, FIXTURE_TIME, expectFailure, expectOk, MINUTE, unique } from "@tillkit/contract-tests";
import { PAY_CHANNELS, PAY_SOURCES, type PayPayload, type WalletFailure } from "@tillkit/core";
import type { PaymentRequest } from "@tillkit/core/ports";
import { describe, expect, it } from "vitest";
import { memoryWallet } from "./memory-wallet.js";
import { testClock } from "../ports/test-clock.js";

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
    expiresAt: FIXTURE_TIME + 120 * MINUTE,
    ...changes,
  };
}

describe.each(PAY_CHANNELS)("memoryWallet: %s", (payChannel) => {
  const clock = testClock(FIXTURE_TIME);
  const wallet = memoryWallet(payChannel, clock);
  const account = anAccount({ payChannel });
  const read = (notification: ReturnType<typeof wallet.notificationFor>, by = account) =>
    wallet.readNotification(by, notification, { now: clock.now(), skew: 5 * MINUTE });
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

  it("holds a refund until it is ended, and moves money only if it is confirmed", async () => {
    const { outTradeNo, notifyUrl } = await paid({ amount: 600 });
    const before = wallet.balance();
    const back = (refundNo: string, amount: number) =>
      wallet.refund(
        account,
        { outTradeNo, refundNo, amount, orderAmount: 600, reason: "r", notifyUrl },
        LIMITS,
      );
    wallet.holdNextRefund();
    expect(await expectOk(back("r-1", 400))).toMatchObject({ state: "PROCESSING" });
    expect(await expectFailure(back("r-2", 201))).toMatchObject({ name: "wallet.rejected" });
    expect(await expectOk(back("r-1", 400))).toMatchObject({ state: "PROCESSING" });
    expect(wallet.balance()).toBe(before);
    wallet.endRefund(outTradeNo, "r-1", "FAILED");
    expect(await expectOk(back("r-1", 400))).toMatchObject({ state: "FAILED" });
    expect(() => wallet.endRefund(outTradeNo, "r-1", "CONFIRMED")).toThrow("in state PROCESSING");
    wallet.holdNextRefund();
    await expectOk(back("r-2", 600));
    wallet.endRefund(outTradeNo, "r-2", "CONFIRMED");
    expect(wallet.balance()).toBe(before - 600);
    expect(await expectOk(wallet.query(account, outTradeNo, LIMITS))).toMatchObject({ state: "REFUNDED" });
  });

  it("reports only the problems in the credentials of an account of its channel", async () => {
    expect(await wallet.checkAccount(account)).toEqual([]);
    const message = { en: "no key", zh: "no key" };
    expect(await wallet.checkAccount({ ...account, credentials: { problem: "no key" } })).toEqual([
      { code: "other", field: "problem", message },
    ]);
    const other = payChannel === "WALLET_A" ? "WALLET_B" : "WALLET_A";
    expect(await wallet.checkAccount({ ...account, payChannel: other })).toHaveLength(1);
  });

  it("returns the expiries in an account's credentials", () => {
    expect(wallet.credentialExpiries(account)).toEqual([]);
    const credentials = { expiresAt: String(FIXTURE_TIME) };
    expect(wallet.credentialExpiries({ ...account, credentials })).toEqual([
      { name: "expiresAt", expiresAt: FIXTURE_TIME },
    ]);
  });

  it("needs no call for a locally signed payload of WALLET_B", () => {
    const local = PAY_SOURCES.filter(
      (paySource) => wallet.localPrepayment(account, aRequest({ paySource }), FIXTURE_TIME) !== undefined,
    );
    expect(local).toEqual(payChannel === "WALLET_B" ? ["APP", "H5", "PC"] : []);
  });

  it("accepts a repeated identical request and rejects a changed request", async () => {
    const request = await prepared();
    await expectOk(wallet.prepare(account, request, LIMITS));
    expect(wallet.prepareCount(request.outTradeNo)).toBe(2);
    for (const changed of [
      { amount: 1 },
      { goodsTitle: "x" },
      { notifyUrl: "https://x.example" },
      { expiresAt: FIXTURE_TIME },
      { paySource: "APP" },
      { payerId: "another" },
    ] as const) {
      const failure = await expectFailure(wallet.prepare(account, { ...request, ...changed }, LIMITS));
      expect(failure).toMatchObject({ name: "wallet.rejected", reason: "conflict" });
    }
  });

  it("throws if a test pays an order that no customer could pay", async () => {
    const other = await prepared();
    expect(await expectOk(wallet.close(account, other.outTradeNo, LIMITS))).toBe("closed");
    expect(() => wallet.pay(other.outTradeNo)).toThrow(/CLOSED/);
    const expiring = await prepared({ expiresAt: clock.now() + MINUTE });
    clock.advance(MINUTE + 1);
    expect(() => wallet.pay(expiring.outTradeNo)).toThrow(/over/);
    clock.set(FIXTURE_TIME);
    wallet.pay(expiring.outTradeNo);
    expect(() => wallet.pay(expiring.outTradeNo)).toThrow(/PAID/);
    expect(() => wallet.refundNotificationFor(expiring.outTradeNo, "none")).toThrow(/no refund/);
  });

  it("returns undefined for an unopened order and another merchant's order", async () => {
    expect(() => wallet.pay("none")).toThrow(/does not know the order/);
    const { outTradeNo } = await prepared();
    const other = { ...account, accountId: "another" };
    expect(await expectOk(wallet.query(other, outTradeNo, LIMITS))).toBeUndefined();
    expect(await expectOk(wallet.close(other, outTradeNo, LIMITS))).toBe("absent");
  });

  it("fails the next call as configured, before or after its effect", async () => {
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

  it("reports the changed values of a test, with different evidence", async () => {
    const request = await paid();
    const genuine = await expectOk(read(wallet.notificationFor(request.outTradeNo)));
    const wrong = await expectOk(read(wallet.notificationFor(request.outTradeNo, { amount: 1 })));
    expect(wrong).toMatchObject({ kind: "payment", order: { amount: 1 } });
    if (genuine.kind !== "payment" || wrong.kind !== "payment") throw new Error("Not payments.");
    expect(wrong.order.evidence).not.toBe(genuine.order.evidence);
  });

  it("refuses a message with another time, or of another merchant", async () => {
    const request = await paid();
    const { headers, body } = wallet.notificationFor(request.outTradeNo);
    const shifted = new Headers(headers);
    shifted.set("x-memory-wallet-timestamp", String(clock.now() + 1));
    expect(await expectFailure(read({ headers: shifted, body }))).toMatchObject({ reason: "unverified" });
    const other = { ...account, accountId: "another" };
    const elsewhere = await expectFailure(read({ headers, body }, other));
    expect(elsewhere).toMatchObject({ reason: "unverified" });
  });
});

describe("memoryWallet: the responses to notifications", () => {
  it("are empty or a JSON error for WALLET_A, and one of two words for WALLET_B", () => {
    const [a, b] = [memoryWallet("WALLET_A"), memoryWallet("WALLET_B")];
    expect(a.answer(true)).toMatchObject({ status: 204, body: "" });
    expect(a.answer(false)).toMatchObject({ status: 401, contentType: "application/json" });
    expect(JSON.parse(a.answer(false).body)).toMatchObject({ code: "FAIL" });
    expect(b.answer(true)).toEqual({ status: 200, contentType: "text/plain", body: "success" });
    expect(b.answer(false)).toEqual({ status: 200, contentType: "text/plain", body: "fail" });
  });
});

describe("memoryWallet: WALLET_A in a desktop browser", () => {
  it("accepts no order and opens no payment", async () => {
    const wallet = memoryWallet("WALLET_A", testClock(FIXTURE_TIME));
    const account = anAccount();
    const request = aRequest({ paySource: "PC" });
    const prepayment = {
      issuedAt: FIXTURE_TIME,
      validUntil: FIXTURE_TIME + MINUTE,
      values: { prepayId: "p" },
    };
    expect(await expectFailure(wallet.prepare(account, request, LIMITS))).toMatchObject({
      reason: "configuration",
    });
    expect(await expectFailure(wallet.payload(account, request, prepayment, FIXTURE_TIME))).toMatchObject({
      reason: "other",
    });
    expect(await expectOk(wallet.query(account, request.outTradeNo, LIMITS))).toBeUndefined();
  });
});

describe("memoryWallet: payloads", () => {
  const payloadOf = async (
    payChannel: "WALLET_A" | "WALLET_B",
    at: number,
    changes: Partial<PaymentRequest> = { paySource: "APP" },
  ): Promise<PayPayload> => {
    const wallet = memoryWallet(payChannel, testClock(at));
    const account = anAccount({ payChannel });
    const request = aRequest(changes);
    const prepayment =
      wallet.localPrepayment(account, request, at) ??
      (await expectOk(wallet.prepare(account, request, LIMITS)));
    return expectOk(wallet.payload(account, request, prepayment, at));
  };

  it("have the members of the WALLET_A payload, with whole seconds", async () => {
    const payload = await payloadOf("WALLET_A", FIXTURE_TIME);
    expect(Object.keys(payload)).toEqual([
      "appid",
      "partnerid",
      "prepayid",
      "noncestr",
      "package",
      "timestamp",
      "sign",
    ]);
    expect(payload).toMatchObject({ timestamp: Math.floor(FIXTURE_TIME / 1_000) });
  });

  it("have the parameters of each wallet's client API for JSAPI", async () => {
    const jsapi = { paySource: "JSAPI", payerId: "payer-1" } as const;
    const forA = await payloadOf("WALLET_A", FIXTURE_TIME, jsapi);
    expect(Object.keys(forA)).toEqual(["appId", "timeStamp", "nonceStr", "package", "signType", "paySign"]);
    expect(forA).toMatchObject({ timeStamp: String(Math.floor(FIXTURE_TIME / 1_000)), signType: "RSA" });
    expect(Object.keys(await payloadOf("WALLET_B", FIXTURE_TIME, jsapi))).toEqual(["tradeNO"]);
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
