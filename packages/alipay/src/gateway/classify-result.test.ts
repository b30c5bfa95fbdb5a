import { describe, expect, it } from "vitest";
import { classifyResult } from "./classify-result.js";

const classOf = (code: string, sub_code?: string) =>
  classifyResult({ code, sub_code }).match(
    () => "ok",
    (failure) =>
      failure.name === "wallet.unknown" ? `unknown ${failure.cause}` : `rejected ${failure.reason}`,
  );

describe("classifyResult", () => {
  it.each([
    ["10000", undefined, "ok"],
    ["10003", undefined, "unknown busy"],
    ["20000", "isp.unknow-error", "unknown server-error"],
    ["20000", "aop.unknow-error", "unknown server-error"],
    ["20001", "aop.invalid-auth-token", "rejected configuration"],
    ["40001", "isv.missing-signature", "rejected configuration"],
    ["40002", "isv.invalid-signature", "rejected configuration"],
    ["40002", "isv.invalid-app-id", "rejected configuration"],
    ["40002", "isv.invalid-parameter", "rejected other"],
    ["40003", "isv.not-online-app", "rejected configuration"],
    ["40004", "ACQ.SYSTEM_ERROR", "unknown server-error"],
    ["40004", "aop.ACQ.SYSTEM_ERROR", "unknown server-error"],
    ["40004", "SYSTEM_ERROR", "unknown server-error"],
    ["40004", "isp.unknow-error", "unknown server-error"],
    ["40004", "ACQ.TRADE_HAS_SUCCESS", "rejected paid"],
    ["40004", "ACQ.TRADE_HAS_CLOSE", "rejected closed"],
    ["40004", "ACQ.CONTEXT_INCONSISTENT", "rejected conflict"],
    ["40004", "ACQ.DISCORDANT_REPEAT_REQUEST", "rejected conflict"],
    ["40004", "ACQ.ACCESS_FORBIDDEN", "rejected configuration"],
    ["40004", "ACQ.TRADE_NOT_EXIST", "rejected other"],
    ["40004", "ACQ.SELLER_BALANCE_NOT_ENOUGH", "rejected funds"],
    ["40004", "ACQ.REFUND_CHARGE_ERROR", "rejected funds"],
    ["40004", "ACQ.REFUND_ACCOUNT_NOT_EXIST", "rejected funds"],
    ["40004", undefined, "rejected other"],
    ["40005", "isv.app-call-limited", "unknown rate-limited"],
    ["40005", undefined, "unknown rate-limited"],
    ["40002", "isv.app-call-limited", "unknown rate-limited"],
    ["40004", "isv.method-call-limited", "unknown rate-limited"],
    ["40006", "isv.insufficient-isv-permissions", "rejected configuration"],
    ["50000", undefined, "unknown server-error"],
    ["", undefined, "unknown server-error"],
  ])("classifies %s %s as %s", (code, subCode, expected) => {
    expect(classOf(code, subCode)).toBe(expected);
  });

  it.each([
    ["ACQ.SELLER_BALANCE_NOT_ENOUGH", undefined],
    ["ACQ.REFUND_CHARGE_ERROR", "wait"],
    ["ACQ.REFUND_ACCOUNT_NOT_EXIST", "repair-account"],
  ])(
    "names what a refund needs in order to succeed later: after %s, the remedy is %s",
    (sub_code, remedy) => {
      const failure = classifyResult({ code: "40004", sub_code })._unsafeUnwrapErr();
      expect(failure).toMatchObject({ name: "wallet.rejected", reason: "funds", trusted: true });
      expect("remedy" in failure ? failure.remedy : undefined).toBe(remedy);
    },
  );

  it("returns a detail with the codes for an operator, and no other text", () => {
    const words = (sub_code: string) =>
      classifyResult({ code: "40004", sub_code }).match(
        () => "",
        ({ detail }) => detail,
      );
    expect(words("ACQ.TRADE_HAS_CLOSE")).toBe("WALLET_B answered 40004 ACQ.TRADE_HAS_CLOSE");
    expect(words("the buyer 138 0000 0000")).toBe("WALLET_B answered 40004");
  });
});
