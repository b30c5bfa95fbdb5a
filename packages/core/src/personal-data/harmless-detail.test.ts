import { expect, it } from "vitest";
import { harmlessDetail } from "./harmless-detail.js";

it.each([
  ["ACQ.TRADE_NOT_EXIST: the trade does not exist", "ACQ.TRADE_NOT_EXIST: the trade does not exist"],
  ["PARAM_ERROR 输入源“/body/amount”无效", "PARAM_ERROR 输入源“/body/amount”无效"],
  ["isv.MOBILE 13800138000 refused", "isv.MOBILE … refused"],
  ["number +86 138-0013-8000", "number …"],
  ["number １３８００１３８０００", "number …"],
  ["user kim@example.com", "user …"],
  ["key MIIEvQIBADANBgkqhkiG9w0BAQEFAASC", "key …"],
  ["openid oUpF8uMuAJO2pxb1Q9zNjWeS6o is wrong", "openid … is wrong"],
  ["see https://api.example.com/pay?token=s3cret now", "see https://… now"],
  ["subject Blue sofa is not allowed", "subject … is not allowed"],
  ["line\nbreak\u0000", "line break"],
])("shows %j as %j", (detail, shown) => {
  expect(harmlessDetail(detail, ["Blue sofa", ""])).toBe(shown);
});

it("cuts a long text, in a time that does not grow with the text", () => {
  const text = harmlessDetail("x ".repeat(5_000_000), []);
  expect(text).toHaveLength(300);
  expect(text.endsWith("…")).toBe(true);
});
