import { expectFailure, expectOk } from "@tillkit/contract-tests";
import { describe, expect, it } from "vitest";
import { Formatter, Rsa } from "wechatpay-axios-plugin";
import { account, merchant, NOW } from "../testing/keys.js";
import { textContaining } from "../testing/text-containing.js";
import { openWallet } from "../testing/open-wallet.js";
import { LIMITS, request } from "../testing/requests.js";
import type { WireHandler, WireReply } from "../testing/wechat-wire.js";
import * as z from "zod";
import { readTransaction } from "./read-transaction.js";

const NUMBER = request.outTradeNo;
const stated = (changes: object = {}) => ({
  appid: account.walletAppId,
  mchid: account.accountId,
  out_trade_no: NUMBER,
  trade_state: "SUCCESS",
  transaction_id: "4200001",
  success_time: "2026-11-20T20:00:00+08:00",
  amount: { total: 100, payer_total: 90, currency: "CNY", payer_currency: "CNY" },
  ...changes,
});

describe("an order in WeChat Pay's format", () => {
  const stateOf = (trade_state: string) => readTransaction(JSON.stringify(stated({ trade_state })))?.state;

  it("is paid, refunded, closed, or open", () => {
    expect(stateOf("SUCCESS")).toBe("PAID");
    expect(stateOf("REFUND")).toBe("REFUNDED");
    for (const state of ["CLOSED", "REVOKED"]) expect(stateOf(state)).toBe("CLOSED");
    for (const state of ["NOTPAY", "USERPAYING", "PAYERROR", "ACCEPT", "NEW_WORD"])
      expect(stateOf(state)).toBe("OPEN");
  });

  it("has the order's amount, not what the customer paid after a coupon", () => {
    expect(readTransaction(JSON.stringify(stated()))).toEqual({
      state: "PAID",
      outTradeNo: NUMBER,
      walletAppId: account.walletAppId,
      merchantId: account.accountId,
      amount: 100,
      currency: "CNY",
      walletTradeNo: "4200001",
      paidAt: Date.UTC(2026, 10, 20, 12),
      evidence: textContaining(/^[0-9a-f]{64}$/),
    });
  });

  it("omits what WeChat Pay omits", () => {
    const { appid, mchid, out_trade_no } = stated();
    const open = readTransaction(JSON.stringify({ appid, mchid, out_trade_no, trade_state: "NOTPAY" }));
    expect(Object.keys(open ?? {}).sort()).toEqual([
      "evidence",
      "merchantId",
      "outTradeNo",
      "state",
      "walletAppId",
    ]);
  });

  it("has different evidence for different facts, and equal evidence for different texts with equal facts", () => {
    const evidence = (changes: object) => readTransaction(JSON.stringify(stated(changes)))?.evidence;
    const changed = [
      { appid: "wx2" },
      { mchid: "2" },
      { out_trade_no: "2" },
      { trade_state: "REFUND" },
      { transaction_id: "2" },
      { success_time: "2026-11-20T20:00:01+08:00" },
      { amount: { total: 101, currency: "CNY" } },
      { amount: { total: 100, currency: "USD" } },
      {},
    ].map(evidence);
    expect(new Set(changed).size).toBe(changed.length);
    expect(evidence({ bank_type: "OTHERS", amount: { total: 100 } })).toBe(evidence({}));
  });

  it("is invalid with a fractional amount, or without its identifiers", () => {
    for (const amount of [{ total: 1.5 }, { total: -1 }, { total: "100" }, { total: 1e300 }, {}])
      expect(readTransaction(JSON.stringify(stated({ amount })))).toBeUndefined();
    for (const name of ["appid", "mchid", "out_trade_no", "trade_state"])
      expect(readTransaction(JSON.stringify(stated({ [name]: undefined })))).toBeUndefined();
  });
});

describe("query", () => {
  it("queries the merchant's order, and signs the query string too", async () => {
    const targets: string[] = [];
    const { wallet, wire } = await openWallet(({ method, target }) => {
      targets.push(`${method} ${target}`);
      return { status: 200, body: JSON.stringify(stated()) };
    });
    expect(await expectOk(wallet.query(account, NUMBER, LIMITS))).toMatchObject({ state: "PAID" });
    await expectOk(wallet.query(account, "a/../b?c|会", LIMITS));
    expect(targets).toEqual([
      `GET /base/v3/pay/transactions/out-trade-no/${NUMBER}?mchid=1900000109`,
      "GET /base/v3/pay/transactions/out-trade-no/a%2F..%2Fb%3Fc%7C%E4%BC%9A?mchid=1900000109",
    ]);
    expect(wire.refused).toEqual([]);
  });

  it("returns undefined for a signed absence in either spelling, and a refusal for an unsigned absence", async () => {
    for (const code of ["ORDER_NOT_EXIST", "ORDERNOTEXIST", "RESOURCE_NOT_EXISTS"]) {
      const absent = { status: 404, body: JSON.stringify({ code }) };
      const signed = await openWallet(() => absent);
      expect(await expectOk(signed.wallet.query(account, NUMBER, LIMITS))).toBeUndefined();
      const unsigned = await openWallet(() => ({ ...absent, proof: "none" }));
      expect(await expectFailure(unsigned.wallet.query(account, NUMBER, LIMITS))).toEqual({
        name: "wallet.rejected",
        reason: "absent",
        trusted: false,
        detail: `404 ${code}`,
      });
    }
  });

  it("does not treat another server's 404 as a missing order", async () => {
    for (const body of ["<html>404</html>", "", '{"message":"not found"}']) {
      const { wallet } = await openWallet(() => ({ status: 404, body, proof: "none" }));
      expect(await expectFailure(wallet.query(account, NUMBER, LIMITS))).toMatchObject({
        cause: "unverified",
      });
    }
  });

  it("fails with wallet.unknown if the signed response is not an order", async () => {
    const { wallet } = await openWallet(() => ({ status: 200, body: "{}" }));
    expect(await expectFailure(wallet.query(account, NUMBER, LIMITS))).toMatchObject({ cause: "unverified" });
  });
});

describe("close", () => {
  const CLOSED: WireReply = { status: 400, body: '{"code":"ORDERCLOSED"}', proof: "none" };
  /** Creates a gateway that answers a close with `onClose` and a query with `state`. */
  const gateway =
    (onClose: WireReply, state?: string, calls: string[] = []): WireHandler =>
    ({ method }) => {
      calls.push(method);
      if (method === "POST") return onClose;
      return state === undefined
        ? { status: 404, body: '{"code":"ORDER_NOT_EXIST"}' }
        : { status: 200, body: JSON.stringify(stated({ trade_state: state })) };
    };

  it("accepts a signed 204 without a body, but no unsigned 204", async () => {
    const { wallet } = await openWallet(gateway({ status: 204, body: "" }));
    expect(await expectOk(wallet.close(account, NUMBER, LIMITS))).toBe("closed");
    const unsigned = await openWallet(gateway({ status: 204, body: "", proof: "none" }));
    expect(await expectFailure(unsigned.wallet.close(account, NUMBER, LIMITS))).toMatchObject({
      cause: "unverified",
    });
  });

  it("accepts a signed refusal of a closed order, and queries the order after an unsigned refusal", async () => {
    const signed: string[] = [];
    const one = await openWallet(gateway({ ...CLOSED, proof: "certificate" }, "CLOSED", signed));
    expect(await expectOk(one.wallet.close(account, NUMBER, LIMITS))).toBe("closed");
    expect(signed).toEqual(["POST"]);
    const unsigned: string[] = [];
    const other = await openWallet(gateway(CLOSED, "CLOSED", unsigned));
    expect(await expectOk(other.wallet.close(account, NUMBER, LIMITS))).toBe("closed");
    expect(unsigned).toEqual(["POST", "GET"]);
  });

  it("after an unsigned ORDERCLOSED, is paid if the signed query says so, and fails if it says open or absent", async () => {
    for (const state of ["SUCCESS", "REFUND"]) {
      const { wallet } = await openWallet(gateway(CLOSED, state));
      expect(await expectOk(wallet.close(account, NUMBER, LIMITS))).toBe("paid");
    }
    for (const state of ["NOTPAY", undefined]) {
      const { wallet } = await openWallet(gateway(CLOSED, state));
      expect(await expectFailure(wallet.close(account, NUMBER, LIMITS))).toMatchObject({
        cause: "unverified",
      });
    }
  });

  it("returns `paid`, `absent`, and every other refusal", async () => {
    const outcome = async (code: string) => {
      const { wallet } = await openWallet(gateway({ status: 400, body: JSON.stringify({ code }) }));
      return wallet.close(account, NUMBER, LIMITS);
    };
    expect(await expectOk(outcome("ORDERPAID"))).toBe("paid");
    expect(await expectOk(outcome("ORDER_NOT_EXIST"))).toBe("absent");
    const unsigned = await openWallet(
      gateway({ status: 404, body: '{"code":"ORDER_NOT_EXIST"}', proof: "none" }),
    );
    expect(await expectFailure(unsigned.wallet.close(account, NUMBER, LIMITS))).toMatchObject({
      reason: "absent",
      trusted: false,
    });
    expect(await expectFailure(outcome("PARAM_ERROR"))).toMatchObject({
      name: "wallet.rejected",
      reason: "other",
    });
  });
});

describe("payload", () => {
  const prepayment = { issuedAt: NOW, validUntil: NOW + 60_000, values: { prepay_id: "wx261122" } };
  const forApp = { ...request, paySource: "APP" } as const;

  it("opens the payment in the app, with the same signature as a third party's SDK", async () => {
    const { wallet } = await openWallet(() => undefined);
    const payload = await expectOk(wallet.payload(account, forApp, prepayment, NOW));
    if (!("prepayid" in payload)) throw new Error("Expected the payload for an app.");
    const { noncestr, sign } = payload;
    expect(payload).toEqual({
      appid: account.walletAppId,
      partnerid: account.accountId,
      prepayid: "wx261122",
      noncestr,
      package: "Sign=WXPay",
      timestamp: Math.floor(NOW / 1000),
      sign,
    });
    expect(noncestr).toMatch(/^[0-9a-f]{32}$/);
    const text = Formatter.joinedByLineFeed(
      account.walletAppId,
      String(payload.timestamp),
      noncestr,
      "wx261122",
    );
    expect(sign).toBe(Rsa.sign(text, merchant.privateKey));
  });

  it("is signed again for another time, without a call to WeChat Pay", async () => {
    const { wallet, wire } = await openWallet(() => undefined);
    const first = await expectOk(wallet.payload(account, forApp, prepayment, NOW));
    const later = await expectOk(wallet.payload(account, forApp, prepayment, NOW + 1_000));
    expect(later).not.toEqual(first);
    expect(wire.connections()).toBe(0);
  });

  it("is rejected for a prepayment of another paySource, and with credentials that do not work", async () => {
    const { wallet } = await openWallet(() => undefined);
    for (const paySource of ["NATIVE", "H5", "PC"] as const)
      expect(
        await expectFailure(wallet.payload(account, { ...request, paySource }, prepayment, NOW)),
      ).toMatchObject({ name: "wallet.rejected", reason: "other" });
    const broken = { ...account, credentials: {} };
    for (const parameters of [forApp, { ...request, paySource: "JSAPI" } as const])
      expect(await expectFailure(wallet.payload(broken, parameters, prepayment, NOW))).toMatchObject({
        name: "wallet.rejected",
        reason: "configuration",
      });
  });
});

describe("the payload for a mini-program or the in-app browser", () => {
  const jsapi = { ...request, paySource: "JSAPI", payerId: "oUpF8uMuAJO_M2pxb1Q9zNjWeS6o" } as const;
  const prepayment = { issuedAt: NOW, validUntil: NOW + 1, values: { prepay_id: "wx26112221580621e9" } };

  it("is the parameter object of WeChat's client, signed over its four lines", async () => {
    const { wallet, wire } = await openWallet(() => undefined);
    const { paySign, ...rest } = z
      .record(z.string(), z.string())
      .parse(await expectOk(wallet.payload(account, jsapi, prepayment, NOW)));
    const timeStamp = String(Math.floor(NOW / 1000));
    const { nonceStr = "" } = rest;
    expect(rest).toEqual({
      appId: "wxd678efh567hg6787",
      timeStamp,
      nonceStr: textContaining(/^[0-9a-f]{32}$/),
      package: "prepay_id=wx26112221580621e9",
      signType: "RSA",
    });
    const lines = ["wxd678efh567hg6787", timeStamp, nonceStr, "prepay_id=wx26112221580621e9"];
    expect(paySign).toBe(Rsa.sign(Formatter.joinedByLineFeed(...lines), merchant.privateKey));
    expect(Rsa.verify(Formatter.joinedByLineFeed(...lines), paySign ?? "", merchant.publicKey)).toBe(true);
    expect(wire.connections()).toBe(0);
  });

  it("is signed again for another time", async () => {
    const { wallet } = await openWallet(() => undefined);
    const first = await expectOk(wallet.payload(account, jsapi, prepayment, NOW));
    expect(await expectOk(wallet.payload(account, jsapi, prepayment, NOW))).toEqual(first);
    expect(await expectOk(wallet.payload(account, jsapi, prepayment, NOW + 1_000))).not.toEqual(first);
  });
});
