import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { readRefusal } from "./read-refusal.js";

const read = (status: number, code: string, message = "why") =>
  readRefusal(status, Buffer.from(JSON.stringify({ code, message })), true);

const REJECTED = [
  [400, "PARAM_ERROR", "other"],
  [400, "INVALID_REQUEST", "other"],
  [400, "APPID_MCHID_NOT_MATCH", "configuration"],
  [400, "MCH_NOT_EXISTS", "configuration"],
  [400, "ORDER_CLOSED", "closed"],
  [400, "ORDERCLOSED", "closed"],
  [400, "ORDERPAID", "paid"],
  [403, "ORDER_PAID", "paid"],
  [401, "SIGN_ERROR", "configuration"],
  [403, "OUT_TRADE_NO_USED", "conflict"],
  [403, "TRADE_ERROR", "other"],
  [403, "RULE_LIMIT", "other"],
  [403, "RULELIMIT", "other"],
  [403, "NOT_ENOUGH", "funds"],
  [403, "NOTENOUGH", "funds"],
  [403, "NO_AUTH", "configuration"],
  [403, "ACCOUNT_ERROR", "configuration"],
  [403, "USER_ACCOUNT_ABNORMAL", "other"],
  [404, "ORDER_NOT_EXIST", "absent"],
  [404, "ORDERNOTEXIST", "absent"],
  [404, "RESOURCE_NOT_EXISTS", "absent"],
] as const;

const UNKNOWN = [
  [202, "USERPAYING", "busy"],
  [202, "USER_PAYING", "busy"],
  [400, "FREQUENCY_LIMITED", "rate-limited"],
  [400, "FREQUENCYLIMIT", "rate-limited"],
  [400, "FREQUENCY_LIMIT_EXCEED", "rate-limited"],
  [403, "INVALID_REQ_TOO_MUCH", "rate-limited"],
  [403, "ORDER_NOT_READY", "busy"],
  [403, "BIZERR_NEED_RETRY", "server-error"],
  [429, "FREQUENCY_LIMITED", "rate-limited"],
  [429, "RATELIMIT_EXCEEDED", "rate-limited"],
  [403, "RATELIMIT_EXCEEDED", "rate-limited"],
  [400, "SYSTEM_ERROR", "server-error"],
  [500, "SYSTEM_ERROR", "server-error"],
  [500, "SYSTEMERROR", "server-error"],
  [500, "BANK_ERROR", "server-error"],
  [500, "OPENID_MISMATCH", "server-error"],
  [502, "SERVICE_UNAVAILABLE", "server-error"],
  [503, "SERVICE_UNAVAILABLE", "server-error"],
] as const;

describe("readRefusal", () => {
  it.each(REJECTED)("%i %s is rejected: %s", (status, code, reason) => {
    expect(read(status, code)).toEqual({
      name: "wallet.rejected",
      reason,
      trusted: true,
      detail: `${status} ${code} why`,
    });
  });

  it.each(UNKNOWN)("%i %s is unknown: %s", (status, code, cause) => {
    expect(read(status, code)).toEqual({ name: "wallet.unknown", cause, detail: `${status} ${code} why` });
  });

  it("marks a refusal without a signature as untrusted", () => {
    const unsigned = readRefusal(403, Buffer.from('{"code":"NOT_ENOUGH"}'), false);
    expect(unsigned).toMatchObject({ name: "wallet.rejected", trusted: false });
  });

  it.each([
    ["201 商户订单号重复", "conflict"],
    ["请求重入，但参数与首次请求不一致", "conflict"],
    ["订单金额或退款金额与之前请求不一致，请核实后再试", "conflict"],
    ["该订单已支付", "paid"],
    ["The order has already been paid", "paid"],
    ["订单已关闭", "closed"],
    ["订单已过期，请重新下单", "closed"],
    ["the order is expired", "closed"],
    ["订单未支付", "other"],
    ["appid 无效", "other"],
  ])("reads the message of the generic code: %s is %s", (message, reason) => {
    expect(read(400, "INVALID_REQUEST", message)).toMatchObject({ name: "wallet.rejected", reason });
    // A specific code has its own meaning, whatever its message says.
    expect(read(400, "PARAM_ERROR", message)).toMatchObject({ name: "wallet.rejected", reason: "other" });
  });

  it.each(["该退款正在处理中，请稍后再试", "退款处理中", "the refund is being processed"])(
    "returns an unknown outcome for a request that is being processed: %s",
    (message) => {
      expect(read(400, "INVALID_REQUEST", message)).toMatchObject({ name: "wallet.unknown", cause: "busy" });
    },
  );

  it("contains the field, and never its value", () => {
    const body = { code: "PARAM_ERROR", message: "bad", detail: { field: "/amount/total", value: "secret" } };
    const { detail } = readRefusal(400, Buffer.from(JSON.stringify(body)), true);
    expect(detail).toBe("400 PARAM_ERROR /amount/total bad");
  });

  it("shortens the wallet's message to one line", () => {
    const { detail } = read(400, "PARAM_ERROR", `a\nb\u0000${"😀".repeat(400)}`);
    expect(detail.startsWith("400 PARAM_ERROR a b 😀")).toBe(true);
    expect([...detail]).toHaveLength(200);
  });

  it("never returns a refusal for a text that is not WeChat Pay's, for any bytes and status", () => {
    fc.assert(
      fc.property(fc.integer({ min: 201, max: 599 }), fc.uint8Array(), (status, body) => {
        const failure = readRefusal(status, body, false);
        const cause = status === 429 ? "rate-limited" : status >= 500 ? "server-error" : "unverified";
        expect(failure).toMatchObject({ name: "wallet.unknown", cause });
      }),
    );
    for (const body of ["<html>403 Forbidden</html>", "", "null", '{"code":403}', '{"error":"x"}'])
      expect(readRefusal(403, Buffer.from(body), false)).toMatchObject({
        name: "wallet.unknown",
        cause: "unverified",
      });
  });
});
