import { AsyncLocalStorage } from "node:async_hooks";
import { createServer } from "node:http";
import { once } from "node:events";
import type { ServiceEvent, WalletFailure } from "@tillkit/core";
import type { CallLimits, PaymentRequest } from "@tillkit/core/ports";
import { anId, expectFailure, expectOk, type WalletHarness } from "@tillkit/contract-tests";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { alipayWallet } from "../alipay-wallet.js";
import type { AlipayServer, Misbehaviour } from "../testing/alipay-server.js";
import { testPairs } from "../testing/keys.js";
import { openAlipayHarness } from "../testing/alipay-harness.js";
import { businessRefusal } from "../testing/trades.js";

const LIMITS: CallLimits = { deadline: 60_000 };
const SOON: CallLimits = { deadline: 60 };
const [app, wallet, stranger] = testPairs;
const credentials = { appPrivateKey: app.pkcs8, alipayPublicKey: wallet.spki };

let harness: { readonly server: AlipayServer; readonly port: WalletHarness; close(): Promise<void> };
beforeEach(async () => {
  harness = await openAlipayHarness({ app, wallet, stranger, credentials });
});
afterEach(() => harness.close());

const query = (limits = LIMITS) => harness.port.query(harness.port.account, "O-1", limits);
const send = async (how: Misbehaviour, limits = LIMITS): Promise<WalletFailure> => {
  harness.server.misbehave("alipay.trade.query", how);
  return expectFailure(query(limits));
};
const unknown = (cause: string) => ({ name: "wallet.unknown", cause });
const NODE = '{"code":"10000","out_trade_no":"O-1","trade_status":"TRADE_SUCCESS","total_amount":"6.00"}';
const answerWith = (node: string, sign: string) => `{"alipay_trade_query_response":${node},"sign":"${sign}"}`;

describe("the clock of the host", () => {
  it("is measured by the date of each response, whatever else it contains", async () => {
    const now = Date.UTC(2026, 10, 29);
    const events: ServiceEvent[] = [];
    const measuring = alipayWallet({
      clock: { now: () => now },
      gateways: { DEV: harness.server.gateway },
      observer: { onEvent: (event) => void events.push(event) },
    });
    const ask = async (status: number, date: string) => {
      harness.server.misbehave("alipay.trade.query", (response) =>
        response.writeHead(status, { date }).end("{}"),
      );
      await measuring.query(harness.port.account, "O-1", LIMITS);
    };
    await ask(200, new Date(now + 83_000).toUTCString());
    await ask(502, new Date(now).toUTCString());
    await ask(200, "yesterday");
    expect(events).toEqual([
      { type: "clock.measured", payChannel: "WALLET_B", appEnv: "DEV", skewMs: -83_500 },
      { type: "clock.off", payChannel: "WALLET_B", appEnv: "DEV", skewMs: -83_500 },
      { type: "clock.measured", payChannel: "WALLET_B", appEnv: "DEV", skewMs: -500 },
      { type: "clock.right", payChannel: "WALLET_B", appEnv: "DEV", skewMs: -500 },
    ]);
  });
});

describe("a wallet that misbehaves", () => {
  it("gets no failure for a correct response", async () => {
    harness.server.misbehave("alipay.trade.query", (response, { sign }) =>
      response.end(answerWith(NODE, sign(NODE))),
    );
    expect(await expectOk(query())).toMatchObject({ state: "PAID", amount: 600 });
  });

  it("reads numbers with all their digits", async () => {
    const node =
      '{"code":10000,"out_trade_no":"O-1","trade_no":2026112722001400000000000001,"trade_status":"TRADE_SUCCESS","total_amount":6.10}';
    harness.server.misbehave("alipay.trade.query", (response, { sign }) =>
      response.end(answerWith(node, sign(node))),
    );
    expect(await expectOk(query())).toMatchObject({
      state: "PAID",
      amount: 610,
      walletTradeNo: "2026112722001400000000000001",
    });
  });

  it("reads a response in GBK over its bytes", async () => {
    // 誠 is D5 5C: the second byte is a backslash in ASCII.
    const [head, tail] = NODE.split('"trade_status"');
    const node = Buffer.from(`${head}"subject":"\u00d5\\","trade_status"${tail}`, "latin1");
    harness.server.misbehave("alipay.trade.query", (response, { sign }) =>
      response.end(Buffer.from(answerWith(node.toString("latin1"), sign(node)), "latin1")),
    );
    expect(await expectOk(query())).toMatchObject({ state: "PAID", amount: 600 });
  });

  it("may state another currency for a trade: the query returns it, and a refund is rejected", async () => {
    const node = NODE.replace("}", ',"trans_currency":"USD"}');
    harness.server.misbehave("alipay.trade.query", (response, { sign }) =>
      response.end(answerWith(node, sign(node))),
    );
    expect(await expectOk(query())).toMatchObject({ state: "PAID", currency: "USD" });
    const refund = { outTradeNo: "O-1", refundNo: "R-1", amount: 600, orderAmount: 600, reason: "returned" };
    const asked = { ...refund, notifyUrl: "https://svc.example/notify" };
    const refused = harness.port.refund(harness.port.account, asked, LIMITS);
    expect(await expectFailure(refused)).toMatchObject({ name: "wallet.rejected", trusted: true });
    expect(harness.server.requests.map((form) => form.get("method"))).not.toContain("alipay.trade.refund");
  });

  const cases: Readonly<Record<string, readonly [Misbehaviour, string, CallLimits?]>> = {
    "says nothing": [() => undefined, "timeout", SOON],
    "never completes its response": [(response) => response.write('{"alipay_trade'), "timeout", SOON],
    "drops the connection": [(response) => response.destroy(), "network"],
    "drops the connection during the response": [
      (response, { properly }) => {
        const text = properly();
        response.setHeader("content-length", text.length + 100);
        response.write(text, () => response.destroy());
      },
      "network",
    ],
    "is overloaded": [(response) => response.writeHead(429).end("slow down"), "rate-limited"],
    "fails with 500, even with a signed response": [
      (response, { properly }) => response.writeHead(500).end(properly()),
      "server-error",
    ],
    "is unreachable for its proxy": [(response) => response.writeHead(502).end("<html>"), "server-error"],
    "says 20000": [
      (response, { say }) => response.end(say({ code: "20000", sub_code: "isp.unknow-error" })),
      "server-error",
    ],
    "says ACQ.SYSTEM_ERROR": [
      (response, { say }) => response.end(say(businessRefusal("ACQ.SYSTEM_ERROR"))),
      "server-error",
    ],
    "sends a page": [(response) => response.end("<html><body>maintenance</body></html>"), "unverified"],
    "sends nothing": [(response) => response.end(), "unverified"],
    "does not sign": [(response) => response.end(`{"alipay_trade_query_response":${NODE}}`), "unverified"],
    "signs with an empty text": [(response) => response.end(answerWith(NODE, "")), "unverified"],
    "signs something else": [
      (response, { sign }) => response.end(answerWith(NODE, sign(NODE.replace("6.00", "7.00")))),
      "unverified",
    ],
    "signs another layout of the same content": [
      (response, { sign }) => response.end(answerWith(NODE.replaceAll(":", " : "), sign(NODE))),
      "unverified",
    ],
    "sends another method's response": [
      (response, { sign }) => response.end(`{"alipay_trade_close_response":${NODE},"sign":"${sign(NODE)}"}`),
      "unverified",
    ],
    "contains its response twice": [
      (response, { sign }) =>
        response.end(`{"alipay_trade_query_response":${NODE},${answerWith(NODE, sign(NODE)).slice(1)}`),
      "unverified",
    ],
    "responds about another order": [
      (response, { say }) =>
        response.end(say({ ...businessRefusal("ACQ.TRADE_NOT_EXIST"), out_trade_no: "O-2" })),
      "unverified",
    ],
    "truncates the response": [
      (response, { properly }) => response.end(properly().slice(0, -40)),
      "unverified",
    ],
    "sends an endless response": [
      (response, { properly }) => response.end(" ".repeat(1_000_000) + properly()),
      "unverified",
    ],
    "signs an invalid response": [
      (response, { sign }) => response.end(answerWith('{"a":1}', sign('{"a":1}'))),
      "unverified",
    ],
    "signs a trade without its facts": [
      (response, { say }) => response.end(say({ code: "10000" })),
      "server-error",
    ],
  };

  it.each(Object.entries(cases))("%s", async (_name, [how, cause, limits]) => {
    expect(await send(how, limits)).toMatchObject(unknown(cause));
  });

  it("redirects, which is not followed", async () => {
    let visits = 0;
    const elsewhere = createServer((_request, response) => {
      visits += 1;
      response.end();
    }).listen(0, "127.0.0.1");
    await once(elsewhere, "listening");
    const address = elsewhere.address();
    const location = `http://127.0.0.1:${typeof address === "object" ? String(address?.port) : ""}/`;
    for (const status of [301, 302, 307, 308]) {
      const failure = await send((response) => response.writeHead(status, { location }).end());
      expect(failure).toMatchObject({ ...unknown("server-error"), detail: `HTTP status ${String(status)}` });
    }
    expect(visits).toBe(0);
    elsewhere.closeAllConnections();
    elsewhere.close();
  });

  it("leaves the outcome unknown if its refusal is unsigned, and names the code", async () => {
    const failure = await send((response) =>
      response.end(
        '{"error_response":{"code":"40002","sub_code":"isv.invalid-app-id","sub_msg":"secret words"}}',
      ),
    );
    expect(failure).toMatchObject(unknown("unverified"));
    expect(failure.detail).toContain("40002 isv.invalid-app-id");
    expect(failure.detail).not.toContain("secret words");
  });

  it("is trusted if it signs a refusal by the gateway itself", async () => {
    const node = '{"code":"40002","sub_code":"isv.invalid-app-id"}';
    const failure = await send((response, { sign }) =>
      response.end(`{"error_response":${node},"sign":"${sign(node)}"}`),
    );
    expect(failure).toMatchObject({ name: "wallet.rejected", reason: "configuration" });
  });

  it("cannot be reached", async () => {
    await harness.close();
    expect(await expectFailure(query())).toMatchObject({ ...unknown("network"), detail: "ECONNREFUSED" });
    harness = await openAlipayHarness({ app, wallet, stranger, credentials });
  });
});

describe("calls to one merchant", () => {
  it("are limited, including waiting ones, and do not delay other merchants", async () => {
    const port = alipayWallet({
      clock: { now: Date.now },
      gateways: { DEV: harness.server.gateway },
      maxConcurrent: 2,
      maxQueued: 1,
    });
    const { account } = harness.port;
    harness.server.misbehave("alipay.trade.query", () => undefined);
    const calls = [1, 2, 3].map(() => expectFailure(port.query(account, "O-1", { deadline: 400 })));
    expect(await expectFailure(port.query(account, "O-1", LIMITS))).toMatchObject(unknown("busy"));
    const other = { ...account, accountId: "2088000000000000" };
    expect(await expectOk(port.close(other, "O-1", LIMITS))).toBe("absent");
    for (const failure of await Promise.all(calls)) expect(failure).toMatchObject(unknown("timeout"));
    expect(
      harness.server.requests.filter((form) => form.get("method") === "alipay.trade.query").length,
    ).toBeLessThan(3);
  });
});

describe("headers of the host", () => {
  it("are added to a call, and never replace those of the adapter", async () => {
    const port = alipayWallet({
      clock: { now: Date.now },
      gateways: { DEV: harness.server.gateway },
      requestHeaders: () => ({ traceparent: "00-1", Accept: "text/plain", "Content-Type": "text/plain" }),
    });
    const seen: unknown[] = [];
    harness.server.misbehave("alipay.trade.query", (response, { properly }) => {
      seen.push(response.req.headers);
      response.end(properly());
    });
    await expectOk(port.query(harness.port.account, "O-1", LIMITS));
    expect(seen).toMatchObject([
      {
        traceparent: "00-1",
        accept: "application/json",
        "content-type": "application/x-www-form-urlencoded; charset=utf-8",
      },
    ]);
  });

  it("are those of the caller, also if the call had to wait", async () => {
    const caller = new AsyncLocalStorage<string>();
    const port = alipayWallet({
      clock: { now: Date.now },
      gateways: { DEV: harness.server.gateway },
      maxConcurrent: 1,
      requestHeaders: () => ({ "x-caller": caller.getStore() ?? "none" }),
    });
    const pairs: (readonly [unknown, unknown])[] = [];
    harness.server.misbehave("alipay.trade.query", (response, { properly }) => {
      pairs.push([response.req.headers["x-caller"], harness.server.requests.at(-1)?.get("biz_content")]);
      response.end(properly());
    });
    const names = ["O-1", "O-2", "O-3"];
    await Promise.all(
      names.map((name) => caller.run(name, () => expectOk(port.query(harness.port.account, name, LIMITS)))),
    );
    expect(pairs).toEqual(names.map((name) => [name, JSON.stringify({ out_trade_no: name })]));
  });
});

describe("a connection", () => {
  it("is kept for the next call, and closed after a response that is too long", async () => {
    // Sometimes a call starts before the previous connection is free again.
    for (let call = 0; call < 20; call += 1) await expectOk(query());
    expect(harness.server.connections()).toBeLessThan(20);
    const dropped = new Promise((resolve) => {
      harness.server.misbehave("alipay.trade.query", (response) => {
        response.req.socket.once("close", resolve);
        response.end(" ".repeat(1_000_000));
      });
    });
    await expectFailure(query());
    await dropped;
  });
});

describe("a deadline", () => {
  it("applies to all requests of a call together", async () => {
    const request = await aPaidOrder();
    harness.server.misbehave("alipay.trade.fastpay.refund.query", () => undefined);
    harness.server.misbehave("alipay.trade.refund", (response, { say }) =>
      response.end(say({ code: "10000", fund_change: "N" })),
    );
    const refund = { ...request, refundNo: "R-1", amount: 100, orderAmount: 600, reason: "returned" };
    expect(
      await expectFailure(harness.port.refund(harness.port.account, refund, { deadline: 400 })),
    ).toMatchObject(unknown("timeout"));
  });
});

describe("a close", () => {
  const closed = async (subCode: string) => {
    harness.server.misbehave("alipay.trade.close", (response, { say }) =>
      response.end(say(businessRefusal(subCode))),
    );
    const result = await harness.port.close(harness.port.account, "O-1", LIMITS);
    return result.match(
      (end) => end,
      (failure) => (failure.name === "wallet.rejected" ? failure.reason : failure.cause),
    );
  };
  const trade = (trade_status: string, more: Readonly<Record<string, string>> = {}) => {
    const node = { code: "10000", out_trade_no: "O-1", total_amount: "6.00", trade_status, ...more };
    harness.server.misbehave("alipay.trade.query", (response, { say }) => response.end(say(node)));
  };

  it("queries the trade to interpret a refusal", async () => {
    for (const refusal of [
      "ACQ.REASON_TRADE_STATUS_INVALID",
      "ACQ.TRADE_STATUS_ERROR",
      "ACQ.TRADE_HAS_SUCCESS",
    ]) {
      trade("TRADE_SUCCESS");
      expect(await closed(refusal)).toBe("paid");
      trade("TRADE_CLOSED", { send_pay_date: "2026-11-20 20:30:05" });
      expect(await closed(refusal)).toBe("paid");
      trade("TRADE_CLOSED");
      expect(await closed(refusal)).toBe("closed");
      trade("WAIT_BUYER_PAY");
      expect(await closed(refusal)).toBe(refusal === "ACQ.TRADE_HAS_SUCCESS" ? "paid" : "other");
      harness.server.misbehave("alipay.trade.query", null);
      expect(await closed(refusal)).toBe("absent");
    }
  });

  it("sends no query if Alipay refused the app, or the outcome is unknown", async () => {
    trade("TRADE_CLOSED");
    expect(await closed("ACQ.ACCESS_FORBIDDEN")).toBe("configuration");
    expect(await closed("ACQ.SYSTEM_ERROR")).toBe("server-error");
  });
});

describe("a refund", () => {
  const refundOf = (request: PaymentRequest, refundNo: string) => ({
    ...request,
    refundNo,
    amount: 100,
    orderAmount: 600,
    reason: "returned",
  });
  const says = (method: string, node: Readonly<Record<string, string>>) =>
    harness.server.misbehave(method, (response, { say }) => response.end(say({ code: "10000", ...node })));
  const REFUND = "alipay.trade.refund";
  const BOOK = "alipay.trade.fastpay.refund.query";

  it("is confirmed by fund_change or by a query, and is PROCESSING if neither confirms it", async () => {
    const request = await aPaidOrder();
    const asks = () => harness.port.refund(harness.port.account, refundOf(request, "R-1"), LIMITS);
    says(REFUND, { fund_change: "Y" });
    expect(await expectOk(asks())).toMatchObject({ state: "CONFIRMED", amount: 100 });
    for (const node of [{ fund_change: "N" }, {}] as const) {
      says(REFUND, node);
      says(BOOK, {});
      expect(await expectOk(asks())).toMatchObject({ state: "PROCESSING" });
      says(BOOK, { refund_amount: "1.00", out_request_no: "R-1" });
      expect(await expectOk(asks())).toMatchObject({ state: "PROCESSING" });
      says(BOOK, { refund_amount: "1.00", refund_status: "REFUND_SUCCESS" });
      expect(await expectOk(asks())).toMatchObject({ state: "CONFIRMED", amount: 100 });
    }
  });

  it("is reported as in the wallet's record, and a response about another refund leaves the outcome unknown", async () => {
    const request = await aPaidOrder();
    const asks = () => harness.port.queryRefund(harness.port.account, refundOf(request, "R-1"), LIMITS);
    says(BOOK, { refund_amount: "2.50", gmt_refund_pay: "2026-11-20 20:30:05" });
    expect(await expectOk(asks())).toMatchObject({ state: "CONFIRMED", amount: 250 });
    for (const out_request_no of ["R-2", "R-12", "R-", "R-1 "]) {
      says(BOOK, { refund_amount: "1.00", out_request_no, refund_status: "REFUND_SUCCESS" });
      expect(await expectFailure(asks())).toMatchObject(unknown("unverified"));
    }
    says(BOOK, { refund_status: "REFUND_SUCCESS" });
    expect(await expectFailure(asks())).toMatchObject(unknown("server-error"));
    says(BOOK, {});
    expect(await expectOk(asks())).toBeUndefined();
  });

  it("is rejected with the reason `funds` if the balance is too small", async () => {
    const request = await aPaidOrder();
    for (const subCode of ["ACQ.SELLER_BALANCE_NOT_ENOUGH", "ACQ.REFUND_CHARGE_ERROR"]) {
      harness.server.misbehave(REFUND, (response, { say }) => response.end(say(businessRefusal(subCode))));
      const pending = harness.port.refund(harness.port.account, refundOf(request, "R-1"), LIMITS);
      expect(await expectFailure(pending)).toMatchObject({
        name: "wallet.rejected",
        reason: "funds",
        trusted: true,
      });
    }
  });
});

async function aPaidOrder(): Promise<PaymentRequest> {
  const { port } = harness;
  const request: PaymentRequest = {
    outTradeNo: anId(),
    amount: 600,
    goodsTitle: "VIP",
    paySource: "APP",
    notifyUrl: "https://pay.example/notify",
    returnUrl: "https://pay.example/return",
    expiresAt: Date.now() + 600_000,
  };
  const prepayment = { issuedAt: Date.now(), validUntil: request.expiresAt, values: {} };
  await port.pay(
    request.outTradeNo,
    await expectOk(port.payload(port.account, request, prepayment, Date.now())),
  );
  return request;
}
