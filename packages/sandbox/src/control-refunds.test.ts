import type { OrderStore } from "@tillkit/core/ports";
import { aShop } from "@tillkit/memory";
import { okAsync } from "neverthrow";
import { describe, expect, it, onTestFinished } from "vitest";
import { callControl } from "./testing/call-control.js";
import { NUMBER, openHarness, orderA } from "./testing/sandbox-harness.js";

describe("the control interface over refunds and money", () => {
  const bad: readonly (readonly [string, object])[] = [
    ["/refund", {}],
    ["/refund", { bizNo: "" }],
    ["/refund", { bizNo: "b-1", amount: 0 }],
    ["/refund", { bizNo: "b-1", amount: 1.5 }],
    ["/refund", { bizNo: "b-1", amount: "100" }],
    ["/refund", { bizNo: "b-1", cents: 100 }],
    ["/refunds", { walletA: { takes: -1 } }],
    ["/refunds", { walletA: { takes: 1e15 } }],
    ["/refunds", { walletA: { ends: "LOST" } }],
    ["/refunds", { walletA: { chargeError: true } }],
    ["/refunds", { walletB: { ends: "ABNORMAL" } }],
    ["/refunds", { walletB: { depositBack: "X" } }],
    ["/refunds", { walletC: {} }],
    ["/refunds/R-1", {}],
    ["/refunds/R-1", { state: "DONE" }],
    ["/refunds/R-1", { state: null }],
    ["/funds", { walletA: -1 }],
    ["/funds", { walletA: 0.5 }],
    ["/funds", { walletA: 1e13 }],
    ["/funds/top-up", { walletA: null }],
    ["/funds/top-up", { walletA: -5 }],
    ["/pay-code", { use: "steals" }],
  ];
  it.each(bad)("answers 400 with what to correct: %s %j", async (path, body) => {
    const { control } = await openHarness();
    const { status, json } = await control("POST", path, body);
    expect(status).toBe(400);
    expect(Object.keys(json)).toEqual(["error"]);
    expect(json["error"]).toMatch(/Correct the body\. .+/s);
  });

  it("answers 404 for unknown refunds, and lists its calls for an unknown path", async () => {
    const { control } = await openHarness();
    for (const [method, body] of [["GET"], ["POST", { state: "SUCCESS" }]] as const)
      expect(await control(method, "/refunds/R-9", body)).toEqual({
        status: 404,
        json: {
          error:
            "No wallet has a refund with this number. It is the order's id, a hyphen and the refundNo of Tillkit.",
        },
      });
    const { json } = await control("GET", "/nothing");
    for (const call of ["POST /refunds/{refundNo}", "POST /funds/top-up", "POST /pay-code", "POST /refund,"])
      expect(json["error"]).toContain(call);
  });

  it("makes only changes that the wallet supports", async () => {
    const harness = await openHarness();
    await harness.callA("/v3/pay/transactions/app", orderA(harness));
    await harness.sandbox.simulatorControls.pay(NUMBER);
    const amount = { refund: 100, total: 600, currency: "CNY" };
    const refund = { out_trade_no: NUMBER, out_refund_no: "R-1", amount };
    await harness.callA("/v3/refund/domestic/refunds", refund);
    expect(await harness.control("POST", "/refunds/R-1", { depositBack: "F" })).toMatchObject({
      status: 409,
    });
    await harness.sendB("alipay.trade.precreate", {
      out_trade_no: "ORDER_2",
      subject: "VIP",
      total_amount: "6.00",
    });
    await harness.sandbox.simulatorControls.pay("ORDER_2");
    await harness.control("POST", "/refunds", { walletB: { takes: null } });
    const parameters = { out_trade_no: "ORDER_2", out_request_no: "R_2", refund_amount: "1.00" };
    await harness.sendB("alipay.trade.refund", parameters);
    expect(await harness.control("POST", "/refunds/R_2", { state: "ABNORMAL" })).toMatchObject({
      status: 409,
    });
  });

  it("keeps omitted rules, and resets a wallet with null", async () => {
    const { control } = await openHarness();
    await control("POST", "/refunds", { walletA: { takes: 5_000, oneAMinute: true } });
    await control("POST", "/refunds", { walletA: { ends: "CLOSED" }, walletB: { chargeError: true } });
    expect(await control("GET", "/refunds")).toEqual({
      status: 200,
      json: {
        walletA: { takes: 5_000, ends: "CLOSED", oneAMinute: true, unsettled: false },
        walletB: { takes: 0, ends: "SUCCESS", chargeError: true, depositBack: null },
      },
    });
    expect(await control("POST", "/refunds", { walletA: null })).toMatchObject({
      json: { walletA: { takes: 1_000, ends: "SUCCESS", oneAMinute: false }, walletB: { chargeError: true } },
    });
  });

  it("refunds at the host, and answers 404 without a host", async () => {
    const { control: alone } = await openHarness();
    expect(await alone("POST", "/refund", { bizNo: "b-1" })).toEqual({
      status: 404,
      json: { error: "This sandbox was opened without `host`: refund in the host itself." },
    });
    const shop = await aShop();
    onTestFinished(() => shop.end());
    const { control } = await openHarness({ host: () => shop.ports });
    await shop.wallets.WALLET_A.notify((await shop.placeOrder({ bizNo: "b-1", amount: 600 })).order);
    expect(await control("POST", "/refund", { bizNo: "b-1", amount: 5 })).toMatchObject({
      status: 200,
      json: { bizNo: "b-1", amount: 5 },
    });
    expect(await control("POST", "/refund", { bizNo: "b-2" })).toMatchObject({
      status: 404,
      json: { name: "order.not-found" },
    });
  });
});

describe("the control interface with the order numbers of the host", () => {
  const paidOrder = async () => {
    const shop = await aShop();
    onTestFinished(() => shop.end());
    const { order } = await shop.placeOrder({ bizNo: "buy-1" });
    // The order whose id is the number that the merchant of the test uses at the wallet.
    const find: OrderStore["find"] = ({ bizNo }) =>
      okAsync(bizNo === "buy-1" ? { ...order, id: NUMBER } : undefined);
    const ports = { ...shop.ports, orders: { ...shop.ports.orders, find } };
    const harness = await openHarness({ host: () => ports });
    await harness.callA("/v3/pay/transactions/app", orderA(harness));
    for (const outTradeNo of ["buy-1", NUMBER])
      expect(await harness.control("POST", "/attempt", { outTradeNo, as: "PAYERROR" })).toMatchObject({
        json: { outTradeNo: NUMBER },
      });
    expect(await harness.control("POST", "/pay", { outTradeNo: "buy-1" })).toEqual({
      status: 200,
      json: { outTradeNo: NUMBER, state: "PAID", notified: true },
    });
    return harness;
  };

  it("accepts a bizNo wherever it accepts an outTradeNo, and still the outTradeNo", async () => {
    const { control, sandbox } = await paidOrder();
    for (const outTradeNo of ["buy-1", NUMBER]) {
      expect(await control("GET", `/orders/${outTradeNo}`)).toMatchObject({ json: { state: "PAID" } });
      expect(await control("POST", "/open", { outTradeNo })).toMatchObject({ json: { outTradeNo: NUMBER } });
      expect(await control("POST", "/notify", { outTradeNo })).toMatchObject({ json: { acknowledged: 1 } });
    }
    expect(sandbox.simulatorControls.sent(NUMBER)).toHaveLength(3);
    const { body } = await callControl(sandbox, "GET", "/notifications?outTradeNo=buy-1");
    expect(body.match(/"acknowledged":true/g)).toHaveLength(3);
    expect(await control("POST", "/console-refund", { outTradeNo: "buy-1" })).toMatchObject({
      json: { outTradeNo: NUMBER, amount: 600 },
    });
  });

  it("names the number that it needs if it knows no order, and tells an id from a bizNo", async () => {
    const { control } = await paidOrder();
    for (const path of ["/pay", "/notify", "/console-refund"]) {
      const { status, json } = await control("POST", path, { outTradeNo: "buy-2" });
      expect(status).toBe(404);
      expect(json["error"]).toMatch(/^No wallet knows this outTradeNo\. Give the `id` .* of \/detail\.json/);
      expect(json["error"]).not.toContain("create the order first");
    }
    const outTradeNo = "01J8ZQ4T7M5V0123456789ABCD";
    expect(await control("POST", "/pay", { outTradeNo })).toEqual({
      status: 404,
      json: { error: "No wallet knows this outTradeNo: create the order first." },
    });
  });
});
