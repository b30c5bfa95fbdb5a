import { expectFailure, expectOk } from "@tillkit/contract-tests";
import type { PayChannel } from "@tillkit/core";
import type { PaymentRequest } from "@tillkit/core/ports";
import { testWalletKeys as keys } from "@tillkit/test-keys";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { faultyWallet } from "./faults.js";
import type { Delivery, DeliveryAnswer } from "./notification-dispatcher.js";
import { openSandbox, type Sandbox } from "./index.js";
import { accountAt, aRequest, issuePayload, walletsAt } from "./testing/merchant.js";
import { callControl, postControl } from "./testing/call-control.js";

const aText: unknown = expect.any(String);
const aNumber: unknown = expect.any(Number);
const over = (floor: number): unknown => expect.toSatisfy((value: number) => value >= floor);
const LIMITS = { deadline: 60_000 };
const EXPIRES_AT = Date.now() + 7_200_000;
const YES = { WALLET_A: { status: 204, body: "" }, WALLET_B: { status: 200, body: "success" } };

describe("the control interface", () => {
  let sandbox: Sandbox;
  let delivered: Delivery[];
  let answer: (delivery: Delivery) => DeliveryAnswer;
  let movedTo: number[];

  beforeEach(async () => {
    delivered = [];
    movedTo = [];
    answer = ({ url }) => (url.includes("WALLET_A") ? YES.WALLET_A : YES.WALLET_B);
    sandbox = await openSandbox({
      keys,
      deliver: (delivery) => {
        delivered.push(delivery);
        return Promise.resolve(answer(delivery));
      },
      onClockMoved: (now) => {
        movedTo.push(now);
      },
    });
  });

  afterEach(() => sandbox.close());

  async function call(
    method: string,
    target: string,
    body?: unknown,
  ): Promise<{ status: number; json: unknown }> {
    const reply = await callControl(sandbox, method, target, body);
    return { status: reply.status, json: JSON.parse(reply.body) };
  }

  function create(payChannel: PayChannel, outTradeNo: string, changes: Partial<PaymentRequest> = {}) {
    const notifyUrl = `http://127.0.0.1/notify/${payChannel}`;
    return issuePayload(
      sandbox,
      payChannel,
      aRequest(outTradeNo, { notifyUrl, expiresAt: EXPIRES_AT, ...changes }),
    );
  }

  for (const payChannel of ["WALLET_A", "WALLET_B"] as const) {
    const wallet = faultyWallet(payChannel);

    describe(payChannel, () => {
      it("pays, and replies after the service was notified", async () => {
        await expectOk(create(payChannel, "ORDER_1"));
        expect(await call("GET", "/orders/ORDER_1")).toEqual({
          status: 200,
          json: { outTradeNo: "ORDER_1", state: "NOTPAY", amount: 600, prepayCount: 1 },
        });
        expect(await call("POST", "/pay", { outTradeNo: "ORDER_1" })).toEqual({
          status: 200,
          json: { outTradeNo: "ORDER_1", state: "PAID", notified: true },
        });
        expect(delivered.map(({ url }) => url)).toEqual([`http://127.0.0.1/notify/${payChannel}`]);
        expect((await call("GET", "/orders/ORDER_1")).json).toMatchObject({ state: "PAID", prepayCount: 1 });
      });

      it("charges and notifies once for concurrent payments", async () => {
        await expectOk(create(payChannel, "ORDER_1"));
        const replies = await Promise.all(
          Array.from({ length: 20 }, () => call("POST", "/pay", { outTradeNo: "ORDER_1" })),
        );
        for (const { json } of replies)
          expect(json).toEqual({ outTradeNo: "ORDER_1", state: "PAID", notified: true });
        expect(delivered).toHaveLength(1);
        expect(sandbox.simulatorControls.balance(payChannel)).toBe(600);
      });

      it("reports why the service did not acknowledge, and when the wallet repeats", async () => {
        answer = () => ({ status: 200, body: "fail" });
        if (payChannel === "WALLET_A") answer = () => ({ status: 401, body: '{"code":"FAIL"}' });
        await expectOk(create(payChannel, "ORDER_1"));
        const why = `the answer, with HTTP status ${payChannel === "WALLET_A" ? 401 : 200}, does not acknowledge it`;
        const { json } = await call("POST", "/pay", { outTradeNo: "ORDER_1" });
        expect(json).toEqual({
          outTradeNo: "ORDER_1",
          state: "PAID",
          notified: false,
          why,
          nextAttemptInMs: over(payChannel === "WALLET_A" ? 10_000 : 200_000),
        });
        // A second payment sends no notification, and the same reason applies.
        expect((await call("POST", "/pay", { outTradeNo: "ORDER_1" })).json).toMatchObject({ why });
        expect((await call("POST", "/notify", { outTradeNo: "ORDER_1" })).json).toMatchObject({
          acknowledged: 0,
          why,
        });
      });

      it("repeats a notification: the same message with a new signature", async () => {
        await expectOk(create(payChannel, "ORDER_1"));
        await call("POST", "/pay", { outTradeNo: "ORDER_1" });
        const { json } = await call("POST", "/notify", { outTradeNo: "ORDER_1", times: 3 });
        expect(json).toEqual({ outTradeNo: "ORDER_1", delivered: 3, acknowledged: 3 });
        expect(delivered).toHaveLength(4);
        const ids = delivered.map(({ body }) => /"id":"(\w+)"|notify_id=(\w+)/.exec(body)?.slice(1).join(""));
        expect(new Set(ids).size).toBe(1);
        expect(ids[0]).toMatch(/^\w{32}$/);
      });

      it("repeats no notification for an order that is not paid", async () => {
        await expectOk(create(payChannel, "ORDER_1"));
        expect((await call("POST", "/notify", { outTradeNo: "ORDER_1" })).status).toBe(409);
        expect(delivered).toEqual([]);
      });

      it("can report a wrong amount with a valid signature", async () => {
        await expectOk(create(payChannel, "ORDER_1"));
        await call("POST", "/pay", { outTradeNo: "ORDER_1" });
        await call("POST", "/notify", { outTradeNo: "ORDER_1", amount: 1 });
        const { headers, body } = delivered.at(-1)!;
        const event = walletsAt(sandbox)[payChannel].readNotification(
          accountAt(sandbox, payChannel),
          { headers: new Headers(headers), body: new TextEncoder().encode(body) },
          { now: Date.now(), skew: 300_000 },
        );
        expect(await expectOk(event)).toMatchObject({ order: { outTradeNo: "ORDER_1", amount: 1 } });
        expect((await call("GET", "/orders/ORDER_1")).json).toMatchObject({ amount: 600 });
      });

      it("drops notifications permanently while the fault is set", async () => {
        await expectOk(create(payChannel, "ORDER_1"));
        await call("POST", "/faults", { [wallet]: { notify: "drop" } });
        expect((await call("POST", "/pay", { outTradeNo: "ORDER_1" })).json).toMatchObject({
          state: "PAID",
          notified: false,
          why: "the fault drop keeps it from being sent",
        });
        expect((await call("POST", "/notify", { outTradeNo: "ORDER_1" })).json).toMatchObject({
          delivered: 0,
          why: "the fault drop keeps it from being sent",
        });
        await call("POST", "/faults", { [wallet]: { notify: null } });
        expect(delivered).toEqual([]);
        expect((await call("POST", "/notify", { outTradeNo: "ORDER_1" })).json).toMatchObject({
          acknowledged: 1,
        });
      });

      it("loses the response of a prepayment, and the retry returns the same prepayment", async () => {
        await call("POST", "/faults", { [wallet]: { prepay: "reset-after" } });
        const lost = await expectFailure(create(payChannel, "ORDER_1"));
        expect(lost).toMatchObject({ name: "wallet.unknown", cause: "network" });
        expect((await call("GET", "/orders/ORDER_1")).json).toMatchObject({
          state: "NOTPAY",
          prepayCount: 1,
        });
        await call("POST", "/faults", { [wallet]: { prepay: null } });
        await expectOk(create(payChannel, "ORDER_1"));
        expect((await call("GET", "/orders/ORDER_1")).json).toMatchObject({
          state: "NOTPAY",
          prepayCount: 1,
        });
      });

      it("fails or refuses a prepayment without storing the order", async () => {
        await call("POST", "/faults", { [wallet]: { prepay: "500" } });
        expect(await expectFailure(create(payChannel, "ORDER_1"))).toMatchObject({ cause: "server-error" });
        await call("POST", "/faults", { [wallet]: { prepay: "reject" } });
        expect(await expectFailure(create(payChannel, "ORDER_1"))).toMatchObject({
          name: "wallet.rejected",
        });
        expect((await call("GET", "/orders/ORDER_1")).status).toBe(404);
      });

      it("accepts no payment after the order has expired", async () => {
        await expectOk(create(payChannel, "ORDER_1"));
        await call("POST", "/clock", { advanceMs: 7_300_000 });
        const reply = await call("POST", "/pay", { outTradeNo: "ORDER_1" });
        expect(reply).toMatchObject({
          status: 409,
          json: { error: "The order has expired: create one with a new bizNo." },
        });
        expect(sandbox.simulatorControls.balance(payChannel)).toBe(0);
      });

      it("accepts no payment of a closed order", async () => {
        await expectOk(create(payChannel, "ORDER_1"));
        await call("POST", "/open", { outTradeNo: "ORDER_1" });
        const wallet = walletsAt(sandbox)[payChannel];
        await expectOk(wallet.close(accountAt(sandbox, payChannel), "ORDER_1", LIMITS));
        expect((await call("POST", "/pay", { outTradeNo: "ORDER_1" })).status).toBe(409);
        expect((await call("GET", "/orders/ORDER_1")).json).toMatchObject({ state: "CLOSED" });
      });
    });
  }

  it("repeats the payment notification also after a refund", async () => {
    await expectOk(create("WALLET_B", "ORDER_1"));
    await call("POST", "/pay", { outTradeNo: "ORDER_1" });
    const refund = {
      outTradeNo: "ORDER_1",
      refundNo: "R",
      amount: 600,
      orderAmount: 600,
      reason: "asked",
      notifyUrl: "http://127.0.0.1/n",
    };
    await expectOk(walletsAt(sandbox).WALLET_B.refund(accountAt(sandbox, "WALLET_B"), refund, LIMITS));
    await call("POST", "/notify", { outTradeNo: "ORDER_1" });
    expect(delivered.at(-1)?.body).toContain("trade_status=TRADE_SUCCESS");
    expect(delivered.at(-1)?.body).not.toContain("refund_fee");
    expect((await call("GET", "/orders/ORDER_1")).json).toMatchObject({ state: "REFUNDED" });
  });

  it("shows no trade at WALLET_B until the customer opens the order, which can be paid but not closed", async () => {
    await expectOk(create("WALLET_B", "ORDER_1"));
    const { WALLET_B: wallet } = walletsAt(sandbox);
    expect(await expectOk(wallet.query(accountAt(sandbox, "WALLET_B"), "ORDER_1", LIMITS))).toBeUndefined();
    expect(await expectOk(wallet.close(accountAt(sandbox, "WALLET_B"), "ORDER_1", LIMITS))).toBe("absent");
    expect((await call("POST", "/pay", { outTradeNo: "ORDER_1" })).json).toMatchObject({ state: "PAID" });
  });

  it("shows a trade at WALLET_A as soon as the merchant has requested it", async () => {
    await expectOk(create("WALLET_A", "ORDER_1"));
    const { WALLET_A: wallet } = walletsAt(sandbox);
    expect(await expectOk(wallet.query(accountAt(sandbox, "WALLET_A"), "ORDER_1", LIMITS))).toMatchObject({
      state: "OPEN",
    });
    expect(await expectOk(wallet.close(accountAt(sandbox, "WALLET_A"), "ORDER_1", LIMITS))).toBe("closed");
    expect((await call("POST", "/pay", { outTradeNo: "ORDER_1" })).status).toBe(409);
  });

  it("closes an opened trade at WALLET_B when it expires, and leaves an expired trade at WALLET_A open", async () => {
    for (const [payChannel, state] of [
      ["WALLET_A", "OPEN"],
      ["WALLET_B", "CLOSED"],
    ] as const) {
      await expectOk(create(payChannel, payChannel, { expiresAt: sandbox.clock.now() + 60_000 }));
      await call("POST", "/open", { outTradeNo: payChannel });
      await call("POST", "/clock", { advanceMs: 61_000 });
      const wallet = walletsAt(sandbox)[payChannel];
      const order = await expectOk(wallet.query(accountAt(sandbox, payChannel), payChannel, LIMITS));
      expect(order).toMatchObject({ state });
    }
  });

  it("counts every prepayment that a wallet issues", async () => {
    await expectOk(create("WALLET_A", "ORDER_1"));
    await expectOk(create("WALLET_A", "ORDER_1"));
    expect((await call("GET", "/orders/ORDER_1")).json).toMatchObject({ prepayCount: 2 });
  });

  it("rejects other terms for an order at WALLET_B that was already signed", async () => {
    await expectOk(create("WALLET_B", "ORDER_1"));
    const changed = await expectFailure(create("WALLET_B", "ORDER_1", { amount: 601 }));
    expect(changed).toMatchObject({ name: "wallet.rejected", reason: "other" });
    expect((await call("GET", "/orders/ORDER_1")).json).toMatchObject({ amount: 600, prepayCount: 1 });
  });

  it("does not count a new signature as another prepayment", async () => {
    await expectOk(create("WALLET_B", "ORDER_1"));
    await expectOk(create("WALLET_B", "ORDER_1"));
    expect((await call("GET", "/orders/ORDER_1")).json).toMatchObject({ prepayCount: 1 });
  });

  it("keeps omitted faults, and resets a wallet with null", async () => {
    await call("POST", "/faults", { walletA: { prepay: "timeout", query: "500" } });
    const kept = await call("POST", "/faults", { walletB: { notify: "drop" } });
    expect(kept.json).toMatchObject({
      walletA: { prepay: "timeout", query: "500" },
      walletB: { notify: "drop" },
    });
    const mended = await call("POST", "/faults", { walletA: null });
    expect(mended.json).toMatchObject({
      walletA: { prepay: null, query: null },
      walletB: { notify: "drop" },
    });
  });

  it("returns the messages of a number in any spelling", async () => {
    await sandbox.smsSender.send({
      appId: "app_1",
      purpose: "login",
      mobileNo: "+8613800138000",
      authCode: "012345",
      ttl: 1,
    });
    await sandbox.smsSender.send({
      appId: "app_1",
      purpose: "login",
      mobileNo: "+8613900139000",
      authCode: "999999",
      ttl: 1,
    });
    await sandbox.smsSender.send({
      appId: "app_1",
      purpose: "login",
      mobileNo: "+8613800138000",
      authCode: "543210",
      ttl: 1,
    });
    const spellings = [
      "13800138000",
      "+8613800138000",
      "%2B8613800138000",
      "8613800138000",
      "008613800138000",
      "138%200013+8000",
    ];
    for (const spelling of spellings) {
      const { json } = await call("GET", `/sms?mobileNo=${spelling}`);
      expect(json, spelling).toMatchObject([{ authCode: "012345" }, { authCode: "543210" }]);
    }
    expect((await call("GET", "/sms")).json).toHaveLength(3);
    for (const other of ["13700137000", "8000", "00138000"]) {
      expect((await call("GET", `/sms?mobileNo=${other}`)).json, other).toEqual([]);
    }
  });

  it("accepts a message from a host in another process, and returns the carrier's response", async () => {
    const message = { mobileNo: "+8613800138000", authCode: "012345", ttl: 1 };
    expect(await call("POST", "/sms", message)).toEqual({ status: 200, json: {} });
    await call("POST", "/faults", { sms: "reject" });
    expect((await call("POST", "/sms", message)).status).toBe(422);
    await call("POST", "/faults", { sms: "timeout" });
    expect((await call("POST", "/sms", message)).status).toBe(504);
    // The refused message was not sent; the one without a response was.
    expect((await call("GET", "/sms")).json).toHaveLength(2);
  });

  it("accepts what a host sends to an SMS gateway, and requires the time of the code", async () => {
    const message = { appId: "app_1", purpose: "login", mobileNo: "+8613800138000", authCode: "012345" };
    expect((await call("POST", "/sms", { ...message, ttlSeconds: 300 })).status).toBe(200);
    const untimed = await call("POST", "/sms", message);
    expect(untimed.status).toBe(400);
    expect(JSON.stringify(untimed.json)).toContain("give ttl in milliseconds, or ttlSeconds");
    expect((await call("GET", "/sms")).json).toMatchObject([{ authCode: "012345" }]);
  });

  it("states when a message was sent, by the sandbox's clock", async () => {
    await call("POST", "/clock", { advanceMs: 86_400_000 });
    await sandbox.smsSender.send({
      appId: "app_1",
      purpose: "login",
      mobileNo: "+8613800138000",
      authCode: "012345",
      ttl: 1,
    });
    const { json } = await call("GET", "/sms?mobileNo=13800138000");
    expect(json).toEqual([{ mobileNo: "+8613800138000", authCode: "012345", at: aNumber }]);
    expect(json).toMatchObject([{ at: over(Date.now() + 86_000_000) }]);
  });

  it("moves the clock forward and notifies the host before it answers", async () => {
    const before = sandbox.clock.now();
    const { json } = await call("POST", "/clock", { advanceMs: 3_600_000 });
    expect(json).toMatchObject({ now: over(before + 3_600_000) });
    expect(movedTo).toHaveLength(1);
    expect(movedTo[0]).toBeGreaterThanOrEqual(before + 3_600_000);
  });

  it("returns only the public keys", async () => {
    const { json } = await call("GET", "/keys");
    expect(json).toEqual(sandbox.keys);
    expect(JSON.stringify(json)).not.toContain("PRIVATE");
    expect(Object.keys(sandbox.keys.walletA.walletPublicKeys)).toEqual([
      expect.stringMatching(/^5[0-9A-F]{39}$/),
      expect.stringMatching(/^PUB_KEY_ID_01\d{30}$/),
    ]);
  });

  it("answers invalid input with 400 and what to correct", async () => {
    const bad: [string, unknown][] = [
      ["/pay", undefined],
      ["/pay", "{"],
      ["/pay", "[]"],
      ["/pay", {}],
      ["/pay", { outTradeNo: 7 }],
      ["/notify", { outTradeNo: "ORDER_1", times: 0 }],
      ["/notify", { outTradeNo: "ORDER_1", times: 1.5 }],
      ["/faults", { walletA: { prepay: "explode" } }],
      ["/faults", { walletC: {} }],
      ["/clock", { advanceMs: -1 }],
      ["/clock", { advanceMs: "1" }],
    ];
    for (const [path, body] of bad) {
      const reply = await call("POST", path, body);
      expect(reply, `${path} ${JSON.stringify(body)}`).toMatchObject({
        status: 400,
        json: { error: aText },
      });
    }
    const tooLarge = {
      method: "POST",
      path: "/pay",
      query: "",
      headers: new Headers(),
      body: "too-large",
    } as const;
    expect((await sandbox.control.handle(tooLarge)).status).toBe(400);
  });

  it("answers unknown orders and unknown calls with 404", async () => {
    for (const path of ["/pay", "/open", "/notify"]) {
      expect((await call("POST", path, { outTradeNo: "nobody" })).status, path).toBe(404);
    }
    for (const path of ["/orders/nobody", "/orders/%zz", "/orders/", "/", "/pay", "/toString"]) {
      expect(await call("GET", path), path).toMatchObject({
        status: 404,
        json: { error: aText },
      });
    }
  });

  it("answers JSON even when the host's own hook fails", async () => {
    const broken = await openSandbox({
      keys,
      onClockMoved: () => Promise.reject(new Error("the reconciler broke")),
    });
    const reply = await postControl(broken, "/clock", { advanceMs: 1 });
    expect(reply.status).toBe(500);
    expect(JSON.parse(reply.body)).toEqual({ error: "The sandbox failed: Error." });
  });
});
