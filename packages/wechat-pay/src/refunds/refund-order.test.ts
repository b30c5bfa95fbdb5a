import { expectFailure, expectOk } from "@tillkit/contract-tests";
import { describe, expect, it } from "vitest";
import * as z from "zod";
import { account } from "../testing/keys.js";
import { openWallet } from "../testing/open-wallet.js";
import { LIMITS, refundRequest } from "../testing/requests.js";
import type { WireCall } from "../testing/wechat-wire.js";
import { readRefundAnswer, readRefundResource } from "./read-refund.js";

const facts = {
  refund_id: "5001",
  out_refund_no: refundRequest.refundNo,
  out_trade_no: refundRequest.outTradeNo,
  amount: { total: 100, refund: 50, payer_refund: 45 },
};
const bodyMembers = z.object({ funds_account: z.string().optional() });
const answer = (changes: object = {}) => JSON.stringify({ ...facts, status: "PROCESSING", ...changes });

describe("refund", () => {
  it("sends what WeChat Pay requires, and is processing until WeChat Pay reports otherwise", async () => {
    const calls: WireCall[] = [];
    const { wallet } = await openWallet((call) => {
      calls.push(call);
      return { status: 200, body: answer() };
    });
    const reason = `broken 😀\n${"x".repeat(90)}`;
    expect(await expectOk(wallet.refund(account, { ...refundRequest, reason }, LIMITS))).toMatchObject({
      state: "PROCESSING",
      outTradeNo: refundRequest.outTradeNo,
      refundNo: refundRequest.refundNo,
      merchantId: account.accountId,
      amount: 50,
      walletRefundNo: "5001",
    });
    expect(calls[0]).toMatchObject({ method: "POST", target: "/base/v3/refund/domestic/refunds" });
    expect(JSON.parse(calls[0]?.body ?? "")).toEqual({
      out_trade_no: refundRequest.outTradeNo,
      out_refund_no: refundRequest.refundNo,
      reason: `broken ${"x".repeat(73)}`,
      notify_url: refundRequest.notifyUrl,
      amount: { refund: 50, total: 100, currency: "CNY" },
    });
  });

  it.each([{}, { notifyUrl: "", reason: "broken 😀\n" }])(
    "describes the request that it sends: %j",
    async (changes) => {
      const calls: WireCall[] = [];
      const { wallet } = await openWallet((call) => {
        calls.push(call);
        return { status: 200, body: answer() };
      });
      const request = { ...refundRequest, ...changes };
      const described = wallet.describeRefund?.(account, request);
      expect(calls).toEqual([]);
      await expectOk(wallet.refund(account, request, LIMITS));
      expect(described).toEqual({ operation: "POST /v3/refund/domestic/refunds", body: calls[0]?.body });
    },
  );

  it("sends no notify_url for an imported order, which has none", async () => {
    const calls: WireCall[] = [];
    const { wallet } = await openWallet((call) => {
      calls.push(call);
      return { status: 200, body: answer() };
    });
    await expectOk(wallet.refund(account, { ...refundRequest, notifyUrl: "" }, LIMITS));
    expect(JSON.parse(calls[0]?.body ?? "")).not.toHaveProperty("notify_url");
  });

  it("fails with wallet.unknown if WeChat Pay is overloaded, because the refund may have been made", async () => {
    const { wallet } = await openWallet(() => ({ status: 429, body: '{"code":"FREQUENCY_LIMITED"}' }));
    expect(await expectFailure(wallet.refund(account, refundRequest, LIMITS))).toMatchObject({
      name: "wallet.unknown",
      cause: "rate-limited",
    });
  });

  it("is sent once if a kept-alive connection is reset, as is the payout of an abnormal refund", async () => {
    const requests: string[] = [];
    const { wallet, wire } = await openWallet(({ method, target }, response) => {
      requests.push(`${method} ${target.replace(/^.*refunds/, "")}`);
      if (method === "GET") return { status: 200, body: answer() };
      response.socket?.resetAndDestroy();
      return undefined;
    });
    const known = { ...refundRequest, walletRefundNo: "5001" };
    await expectOk(wallet.queryRefund(account, refundRequest, LIMITS));
    const unknown = { name: "wallet.unknown", cause: "network" };
    expect(await expectFailure(wallet.refund(account, refundRequest, LIMITS))).toMatchObject(unknown);
    await expectOk(wallet.queryRefund(account, refundRequest, LIMITS));
    const paidOut = wallet.applyAbnormalRefund(account, known, { to: "merchant" }, LIMITS);
    expect(await expectFailure(paidOut)).toMatchObject(unknown);
    expect(requests).toEqual([
      "GET /R-1%7Ca%40b",
      "POST ",
      "GET /R-1%7Ca%40b",
      "POST /5001/apply-abnormal-refund",
    ]);
    expect(wire.connections()).toBe(2);
  });

  it("is rejected with the reason `funds` if the balance is too small, in either spelling", async () => {
    for (const code of ["NOT_ENOUGH", "NOTENOUGH"]) {
      const { wallet } = await openWallet(() => ({ status: 403, body: JSON.stringify({ code }) }));
      expect(await expectFailure(wallet.refund(account, refundRequest, LIMITS))).toMatchObject({
        name: "wallet.rejected",
        reason: "funds",
        detail: `403 ${code}`,
      });
    }
  });

  it("names the available balance in every second retry, whose refusal never ends the refund", async () => {
    const accounts: unknown[] = [];
    let code = "NOT_ENOUGH";
    const { wallet } = await openWallet(({ body }) => {
      accounts.push(bodyMembers.parse(JSON.parse(body)).funds_account);
      return { status: 403, body: JSON.stringify({ code }) };
    });
    const refusedAs = async (fundsRetry?: number) => {
      const retried = { ...refundRequest, ...(fundsRetry === undefined ? {} : { fundsRetry }) };
      return expectFailure(wallet.refund(account, retried, LIMITS));
    };
    const funds = { name: "wallet.rejected", reason: "funds", trusted: true };
    expect(await refusedAs()).toMatchObject({ ...funds, remedy: "other-account" });
    expect(await refusedAs(0)).toMatchObject(funds);
    expect(await refusedAs(1)).toMatchObject(funds);
    // WeChat Pay refuses a named account if the merchant has only one.
    code = "PARAM_ERROR";
    expect(await refusedAs(3)).toMatchObject({ ...funds, detail: "403 PARAM_ERROR" });
    expect(await refusedAs(4)).toMatchObject({ name: "wallet.rejected", reason: "other" });
    expect(accounts).toEqual([undefined, undefined, "AVAILABLE", "AVAILABLE", undefined]);
  });

  it.each(["AVAILABLE", "UNSETTLED"])(
    "names the account of the pay tool in every request: %s",
    async (named) => {
      const accounts: unknown[] = [];
      const { wallet } = await openWallet(({ body }) => {
        accounts.push(bodyMembers.parse(JSON.parse(body)).funds_account);
        return { status: 403, body: '{"code":"NOT_ENOUGH"}' };
      });
      const owner = { ...account, credentials: { ...account.credentials, fundsAccount: named } };
      for (const fundsRetry of [0, 1])
        expect(
          await expectFailure(wallet.refund(owner, { ...refundRequest, fundsRetry }, LIMITS)),
        ).toMatchObject({ reason: "funds", remedy: "named-account" });
      expect(accounts).toEqual([named, named]);
    },
  );

  it("is rejected for an unknown order, whereas a query of an unknown refund returns undefined", async () => {
    const { wallet } = await openWallet(() => ({ status: 404, body: '{"code":"RESOURCE_NOT_EXISTS"}' }));
    expect(await expectFailure(wallet.refund(account, refundRequest, LIMITS))).toMatchObject({
      name: "wallet.rejected",
    });
    expect(await expectOk(wallet.queryRefund(account, refundRequest, LIMITS))).toBeUndefined();
  });

  it("returns unsigned refusals and absences as untrusted", async () => {
    const unsigned = { status: 404, body: '{"code":"RESOURCE_NOT_EXISTS"}', proof: "none" } as const;
    const { wallet } = await openWallet(() => unsigned);
    for (const answered of [
      wallet.refund(account, refundRequest, LIMITS).map(() => undefined),
      wallet.queryRefund(account, refundRequest, LIMITS).map(() => undefined),
    ])
      expect(await expectFailure(answered)).toMatchObject({
        name: "wallet.rejected",
        reason: "absent",
        trusted: false,
      });
  });

  it("fails with wallet.unknown if the signed response is not a refund", async () => {
    for (const body of [
      "{}",
      answer({ amount: { refund: 0.5 } }),
      answer({ amount: { refund: 50, currency: "USD" } }),
    ]) {
      const { wallet } = await openWallet(() => ({ status: 200, body }));
      for (const answered of [
        wallet.refund(account, refundRequest, LIMITS).map(() => undefined),
        wallet.queryRefund(account, refundRequest, LIMITS).map(() => undefined),
      ])
        expect(await expectFailure(answered)).toMatchObject({ cause: "unverified" });
    }
  });
});

describe("queryRefund", () => {
  it("queries by the refund's number, percent-encoded as it is signed", async () => {
    const targets: string[] = [];
    const { wallet, wire } = await openWallet(({ method, target }) => {
      targets.push(`${method} ${target}`);
      return { status: 200, body: answer({ status: "SUCCESS" }) };
    });
    expect(await expectOk(wallet.queryRefund(account, refundRequest, LIMITS))).toMatchObject({
      state: "CONFIRMED",
    });
    expect(targets).toEqual(["GET /base/v3/refund/domestic/refunds/R-1%7Ca%40b"]);
    expect(wire.refused).toEqual([]);
  });
});

describe("a refund in WeChat Pay's format", () => {
  it("is confirmed, failed, abnormal or in progress", () => {
    const states = ["SUCCESS", "CLOSED", "PROCESSING", "ABNORMAL", "NEW_WORD"].map(
      (status) => readRefundAnswer(Buffer.from(answer({ status })), account)?.state,
    );
    expect(states).toEqual(["CONFIRMED", "FAILED", "PROCESSING", "ABNORMAL", "PROCESSING"]);
  });

  it("reports whether the money went to the merchant's own account", () => {
    const received = [
      "商户基本账户",
      "商户结算银行账户",
      "企业支付商户",
      "支付用户零钱",
      "招商银行信用卡0403",
    ].map(
      (user_received_account) =>
        readRefundAnswer(Buffer.from(answer({ status: "SUCCESS", user_received_account })), account)
          ?.toMerchant,
    );
    expect(received).toEqual([true, true, undefined, undefined, undefined]);
  });

  it("names the refunded payment", () => {
    const made = { status: "SUCCESS", transaction_id: "4201" };
    const read = (changes: object) => readRefundAnswer(Buffer.from(answer(changes)), account);
    expect(read(made)).toMatchObject({ walletTradeNo: "4201" });
    expect(read({ status: "SUCCESS" })).not.toHaveProperty("walletTradeNo");
  });

  it("is equal in a response and in a notification, including its evidence", () => {
    const reported = readRefundResource(JSON.stringify({ ...facts, mchid: "1", refund_status: "SUCCESS" }));
    expect(reported).toEqual(
      readRefundAnswer(Buffer.from(answer({ status: "SUCCESS" })), { ...account, accountId: "1" }),
    );
    expect(reported).toBeDefined();
  });
});
