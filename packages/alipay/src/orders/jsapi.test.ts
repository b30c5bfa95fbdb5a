import type { PaymentRequest } from "@tillkit/core/ports";
import { anId, expectFailure, expectOk } from "@tillkit/contract-tests";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { testPairs } from "../testing/keys.js";
import { APP_ID, openAlipayHarness } from "../testing/alipay-harness.js";
import { shanghaiTime } from "../testing/wire.js";

const LIMITS = { deadline: 60_000 };
const USER_ID = "2088102146225135";
const OPEN_ID = "074a1CcTG1LelxKe4xQC0zgNdId0nxi95b5lsNpazWYoCo5";
const [app, wallet, stranger] = testPairs;
const credentials = { appPrivateKey: app.pkcs8, alipayPublicKey: wallet.spki };

let harness: Awaited<ReturnType<typeof openAlipayHarness>>;
beforeEach(async () => {
  harness = await openAlipayHarness({ app, wallet, stranger, credentials });
});
afterEach(() => harness.close());

const aRequest = (payerId?: string): PaymentRequest => ({
  outTradeNo: anId(),
  amount: 601,
  goodsTitle: "VIP",
  paySource: "JSAPI",
  ...(payerId === undefined ? {} : { payerId }),
  notifyUrl: "https://pay.example/notify",
  returnUrl: "https://pay.example/return",
  expiresAt: Date.now() + 7_200_000,
});
const prepare = (request: PaymentRequest) => harness.port.prepare(harness.port.account, request, LIMITS);

describe("a trade for a mini-program or the in-app browser", () => {
  it("is created for a user id, or for an open id in the app", async () => {
    for (const [payerId, member] of [
      [USER_ID, "buyer_id"],
      [OPEN_ID, "buyer_open_id"],
    ] as const) {
      const request = aRequest(payerId);
      await expectOk(prepare(request));
      const sent = harness.server.requests.at(-1);
      expect(sent?.get("method")).toBe("alipay.trade.create");
      expect(sent?.get("notify_url")).toBe(request.notifyUrl);
      expect(sent?.get("return_url")).toBeUndefined();
      expect(JSON.parse(sent?.get("biz_content") ?? "")).toEqual({
        out_trade_no: request.outTradeNo,
        body: "VIP",
        subject: "VIP",
        product_code: "JSAPI_PAY",
        total_amount: "6.01",
        time_expire: shanghaiTime(request.expiresAt),
        op_app_id: APP_ID,
        [member]: payerId,
      });
    }
  });

  it("can be opened with its number until the order expires", async () => {
    const request = aRequest(USER_ID);
    const prepayment = await expectOk(prepare(request));
    expect(prepayment.validUntil).toBe(request.expiresAt);
    expect(Object.keys(prepayment.values)).toEqual(["trade_no"]);
    expect(prepayment.values["trade_no"]).toMatch(/^\d{28}$/);
    const payload = await expectOk(
      harness.port.payload(harness.port.account, request, prepayment, Date.now()),
    );
    expect(payload).toEqual({ tradeNO: prepayment.values["trade_no"] });
  });

  it("fails with wallet.unknown if the signed response has no number", async () => {
    harness.server.misbehave("alipay.trade.create", (response, { say }) =>
      response.end(say({ code: "10000", qr_code: "https://qr.alipay.com/x" })),
    );
    expect(await expectFailure(prepare(aRequest(USER_ID)))).toMatchObject({
      name: "wallet.unknown",
      detail: "the response has no trade_no",
    });
  });

  it("sends nothing without a customer, nor after the order has expired", async () => {
    const late = { ...aRequest(USER_ID), expiresAt: Date.now() - 1 };
    expect(await expectFailure(prepare(aRequest()))).toMatchObject({
      reason: "configuration",
      trusted: true,
    });
    expect(await expectFailure(prepare(late))).toMatchObject({ reason: "closed", trusted: true });
    expect(harness.server.requests).toEqual([]);
  });

  it("does not contain the customer in its failures", async () => {
    harness.server.misbehave("alipay.trade.create", (response, { say }) =>
      response.end(say({ code: "40004", sub_code: "ACQ.BUYER_ENABLE_STATUS_FORBID", sub_msg: USER_ID })),
    );
    const failure = await expectFailure(prepare(aRequest(USER_ID)));
    expect(failure).toMatchObject({ name: "wallet.rejected", reason: "other" });
    expect(JSON.stringify(failure)).not.toContain(USER_ID);
  });
});
