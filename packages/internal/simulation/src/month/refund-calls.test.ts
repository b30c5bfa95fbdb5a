import { describe, expect, it } from "vitest";
import { alipayRefundCall, wechatPayRefundCall } from "./refund-calls.js";

const REFUNDS = "/v3/refund/domestic/refunds";

describe("the refund calls of WeChat Pay", () => {
  it.each([
    ["POST", REFUNDS, '{"out_refund_no":"o-1"}', { kind: "send", refundNo: "o-1" }],
    ["GET", `${REFUNDS}/o-1`, "", { kind: "query", refundNo: "o-1" }],
    [
      "POST",
      `${REFUNDS}/503/apply-abnormal-refund`,
      '{"out_refund_no":"o-1"}',
      { kind: "apply-abnormal", refundNo: "o-1" },
    ],
    ["POST", "/v3/pay/transactions/app", '{"out_refund_no":"o-1"}', undefined],
    ["POST", REFUNDS, "no JSON", undefined],
  ] as const)("%s %s %s", (method, target, body, call) => {
    expect(wechatPayRefundCall({ method, target, body })).toEqual(call);
  });
});

describe("the refund calls of Alipay", () => {
  const content = encodeURIComponent('{"out_request_no":"o-1"}');

  it.each([
    ["/gateway.do", `method=alipay.trade.refund&biz_content=${content}`, { kind: "send", refundNo: "o-1" }],
    [
      "/gateway.do?method=alipay.trade.fastpay.refund.query",
      `biz_content=${content}`,
      { kind: "query", refundNo: "o-1" },
    ],
    ["/gateway.do", `method=alipay.trade.query&biz_content=${content}`, undefined],
  ] as const)("%s %s", (target, body, call) => {
    expect(alipayRefundCall({ method: "POST", target, body })).toEqual(call);
  });
});
