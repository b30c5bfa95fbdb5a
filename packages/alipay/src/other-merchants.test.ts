import { createServer } from "node:http";
import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { expectFailure, expectOk } from "@tillkit/contract-tests";
import type { WalletAccount } from "@tillkit/core";
import { isSameMerchant } from "@tillkit/core/ports";
import { okAsync } from "neverthrow";
import { describe, expect, it, onTestFinished } from "vitest";
import * as z from "zod";
import { alipayWallet } from "./alipay-wallet.js";
import { alipayAccount, APP_ID } from "./testing/alipay-harness.js";
import { archiveOf, DETAIL, gbk, SUMMARY } from "./testing/bill-files.js";
import { DAY, serveBill } from "./testing/bill-server.js";
import { testPairs } from "./testing/keys.js";
import { notificationBody, signature, walletJson } from "./testing/wire.js";

// Every answer is signed by Alipay. Only the merchant in it differs from the one that asked.

const [app, wallet] = testPairs;
const LIMITS = { deadline: 60_000 };
const SHOP = "2088000000000201";
const SHOP_APP = "2021000000000201";
const provider = {
  ...alipayAccount({ appPrivateKey: app.pkcs8, alipayPublicKey: wallet.spki }),
  id: "provider",
};
const shop: WalletAccount = {
  ...alipayAccount({ provider: "provider", appAuthToken: "202601BBexample" }),
  id: "shop",
  accountId: SHOP,
  walletAppId: SHOP_APP,
  provider,
};

/** How an answer names another merchant than the shop. */
const OTHERS = [
  ["another seller", { seller_id: "2088000000000202" }],
  ["the app of another seller", { auth_app_id: "2021000000000202" }],
  ["another provider", { app_id: "2014000000000999" }],
] as const;

const REFUND = {
  outTradeNo: "O-1",
  refundNo: "R-1",
  amount: 100,
  orderAmount: 600,
  reason: "returned",
  notifyUrl: "https://svc.example/notify",
};
const TRADE = {
  code: "10000",
  out_trade_no: "O-1",
  trade_no: "2026112722001",
  trade_status: "TRADE_SUCCESS",
  total_amount: "6.00",
};
type Node = Readonly<Record<string, string>>;

/** Opens an adapter whose wallet gives each method this answer. */
async function answering(nodes: Readonly<Record<string, Node>>) {
  const called: string[] = [];
  const server = createServer((incoming, response) => {
    const method = new URL(incoming.url ?? "", "http://wallet").searchParams.get("method") ?? "";
    called.push(method);
    const node = walletJson(nodes[method] ?? { code: "40004", sub_code: "ACQ.TRADE_NOT_EXIST" });
    const sign = signature(node, wallet.privatePem);
    response.end(`{"${method.replaceAll(".", "_")}_response":${node},"sign":"${sign}"}`);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = z.custom<AddressInfo>((value) => typeof value === "object").parse(server.address());
  const gateways = { DEV: `http://127.0.0.1:${String(port)}/gateway.do` };
  return { adapter: alipayWallet({ clock: { now: Date.now }, gateways }), called };
}

const unverified = { name: "wallet.unknown", cause: "unverified" };

describe.each(OTHERS)("for a sub-merchant, an answer about %s", (_what, other) => {
  it("is not accepted as its order", async () => {
    const { adapter } = await answering({ "alipay.trade.query": { ...TRADE, ...other } });
    const order = await expectOk(adapter.query(shop, "O-1", LIMITS));
    expect(order).toMatchObject({ state: "PAID", outTradeNo: "O-1" });
    const isOurs = order && order.walletAppId === SHOP_APP && isSameMerchant(shop, order);
    expect(isOurs).toBe(false);
  });

  it("closes no order, not even by the query after a refusal", async () => {
    const closed = await answering({
      "alipay.trade.close": { code: "10000", out_trade_no: "O-1", ...other },
    });
    expect(await expectFailure(closed.adapter.close(shop, "O-1", LIMITS))).toMatchObject(unverified);
    const { adapter } = await answering({
      "alipay.trade.close": { code: "40004", sub_code: "ACQ.TRADE_STATUS_ERROR" },
      "alipay.trade.query": { ...TRADE, trade_status: "TRADE_CLOSED", ...other },
    });
    expect(await expectFailure(adapter.close(shop, "O-1", LIMITS))).toMatchObject(unverified);
  });

  it("starts no refund, if it answers the query of the trade to refund", async () => {
    const { adapter, called } = await answering({ "alipay.trade.query": { ...TRADE, ...other } });
    expect(await expectFailure(adapter.refund(shop, REFUND, LIMITS))).toMatchObject(unverified);
    expect(called).toEqual(["alipay.trade.query"]);
  });

  it("confirms no refund", async () => {
    const refunded = { code: "10000", out_trade_no: "O-1", fund_change: "Y", refund_fee: "1.00", ...other };
    const { adapter } = await answering({
      "alipay.trade.query": TRADE,
      "alipay.trade.refund": refunded,
    });
    expect(await expectFailure(adapter.refund(shop, REFUND, LIMITS))).toMatchObject(unverified);
  });

  it("is not the refund that was queried", async () => {
    const stated = {
      code: "10000",
      out_trade_no: "O-1",
      out_request_no: "R-1",
      refund_amount: "1.00",
      refund_status: "REFUND_SUCCESS",
    };
    const { adapter } = await answering({ "alipay.trade.fastpay.refund.query": { ...stated, ...other } });
    expect(await expectFailure(adapter.queryRefund(shop, REFUND, LIMITS))).toMatchObject(unverified);
    const own = await answering({ "alipay.trade.fastpay.refund.query": stated });
    const confirmed = await expectOk(own.adapter.queryRefund(shop, REFUND, LIMITS));
    expect(confirmed).toMatchObject({ state: "CONFIRMED", merchantId: SHOP, providerId: provider.accountId });
  });

  it("differs from one about its own refund, which names the refunded payment", async () => {
    const stated = {
      code: "10000",
      out_trade_no: "O-1",
      refund_amount: "1.00",
      refund_status: "REFUND_SUCCESS",
    };
    const read = async (changes: object) => {
      const { adapter } = await answering({ "alipay.trade.fastpay.refund.query": { ...stated, ...changes } });
      return expectOk(adapter.queryRefund(shop, REFUND, LIMITS));
    };
    expect(await read({ trade_no: "2026052022001" })).toMatchObject({ walletTradeNo: "2026052022001" });
    for (const none of [{}, { trade_no: "" }]) expect(await read(none)).not.toHaveProperty("walletTradeNo");
  });

  it("is not accepted as its notification", async () => {
    const { adapter } = await answering({});
    const facts = { ...TRADE, app_id: APP_ID, auth_app_id: SHOP_APP, seller_id: SHOP, sign_type: "RSA2" };
    const read = async (changes: object) => {
      const body = new TextEncoder().encode(notificationBody({ ...facts, ...changes }, wallet.privatePem));
      const notification = { headers: { get: () => null }, body };
      const event = await expectOk(
        adapter.readNotification(shop, notification, { now: Date.now(), skew: 300_000 }),
      );
      if (event.kind !== "payment") throw new Error("no payment was read");
      return event.order.walletAppId === SHOP_APP && isSameMerchant(shop, event.order);
    };
    expect(await read({})).toBe(true);
    expect(await read(other)).toBe(false);
    for (const refund of [{ refund_fee: "1.00", out_biz_no: "R-1", gmt_refund: "2026-11-20 20:00:00" }])
      expect(await read({ ...refund, ...other })).toBe(false);
  });
});

describe("an answer that names the merchant who asked", () => {
  it("is accepted", async () => {
    const own = { seller_id: SHOP, auth_app_id: SHOP_APP, app_id: APP_ID };
    const { adapter } = await answering({
      "alipay.trade.close": { code: "10000", out_trade_no: "O-1", ...own },
      "alipay.trade.query": { ...TRADE, ...own },
      "alipay.trade.refund": { code: "10000", out_trade_no: "O-1", fund_change: "Y", ...own },
    });
    expect(await expectOk(adapter.close(shop, "O-1", LIMITS))).toBe("closed");
    const refund = await expectOk(adapter.refund(shop, REFUND, LIMITS));
    expect(refund.state).toBe("CONFIRMED");
    expect(isSameMerchant(shop, refund)).toBe(true);
  });
});

describe("a bill of a sub-merchant", () => {
  it("is refused if it is that of another seller", async () => {
    const archive = archiveOf([DETAIL, SUMMARY].map((lines) => gbk(lines.join("\r\n"))));
    const { adapter, account } = await serveBill({ archive });
    const read = (accountId: string) =>
      adapter.readBill(
        { ...shop, accountId, provider: { ...account, id: "provider" } },
        DAY,
        () => okAsync(undefined),
        LIMITS,
      );
    expect((await read(account.accountId)).isOk()).toBe(true);
    expect(await expectFailure(read(SHOP))).toMatchObject(unverified);
  });
});

describe("the description of a refund", () => {
  it("is the content that is sent, and contains no authorisation", async () => {
    const { adapter } = await answering({});
    const described = adapter.describeRefund?.(shop, REFUND);
    expect(described?.operation).toBe("alipay.trade.refund");
    expect(JSON.parse(described?.body ?? "")).toEqual({
      out_trade_no: "O-1",
      refund_amount: "1.00",
      out_request_no: "R-1",
      refund_reason: "returned",
    });
    expect(JSON.stringify(described)).not.toContain("202601BBexample");
  });
});
