import { describe, expect, it } from "vitest";
import { defaultPolicy, policyWith } from "../policy.js";
import { parseInput } from "./input.js";
import { orThrow } from "../errors/or-throw.js";
import { createOrderInput } from "../orders/create-order-input.js";

const valid = {
  amount: 600,
  bizNo: "b-1",
  goodsTitle: "VIP",
  payChannel: "WALLET_A",
  customerIdentity: "u-1",
};
const read = (changes: Readonly<Record<string, unknown>>, policy = defaultPolicy) =>
  parseInput(createOrderInput(policy), { ...valid, ...changes });

describe("parseInput", () => {
  it("applies defaults, counts null as absent and ignores unknown members", () => {
    const input = orThrow(read({ customerName: null, surprise: { nested: true } }));
    expect(input).toEqual({ ...valid, paySource: "APP" });
  });

  it("counts an empty choice as absent", () => {
    const input = orThrow(read({ paySource: "", sourceFrom: "", customerName: "", serviceNo: "" }));
    expect(input).toEqual({ ...valid, paySource: "APP" });
  });

  it("names the first missing parameter before an invalid one", () => {
    const failure = read({ amount: -1, goodsTitle: undefined, payChannel: null })._unsafeUnwrapErr();
    expect(failure).toEqual({ name: "parameter.missing", parameter: "goodsTitle" });
  });

  it.each([
    [{ amount: "600" }, { name: "amount.invalid" }],
    [{ amount: 6.5 }, { name: "amount.invalid" }],
    [{ amount: 0 }, { name: "amount.invalid" }],
    [{ amount: Number.NaN }, { name: "amount.invalid" }],
    [{ amount: 10_000_000_001 }, { name: "amount.invalid" }],
    [{ payChannel: "wallet_a" }, { name: "pay-channel.invalid" }],
    [{ paySource: "WEB" }, { name: "pay-source.invalid", rule: "unknown" }],
    [{ paySource: "PC" }, { name: "pay-source.invalid", rule: "unavailable" }],
    [{ paySource: "JSAPI" }, { name: "parameter.missing", parameter: "payerId" }],
    [
      { paySource: "JSAPI", payerId: "" },
      { name: "parameter.missing", parameter: "payerId" },
    ],
    [{ payerId: "a b" }, { name: "parameter.invalid", parameter: "payerId", rule: "visible-ascii" }],
    [{ payerId: "o".repeat(129) }, { name: "parameter.invalid", parameter: "payerId", rule: "length" }],
    [{ payerId: 7 }, { name: "parameter.invalid", parameter: "payerId", rule: "text" }],
    [{ sourceFrom: "store_17" }, { name: "source-from.invalid" }],
    [{ sourceFrom: " " }, { name: "source-from.invalid" }],
    [{ sourceFrom: 1 }, { name: "source-from.invalid" }],
    [{ paySource: [""] }, { name: "pay-source.invalid", rule: "unknown" }],
    [{ payChannel: "" }, { name: "pay-channel.invalid" }],
    [{ attachData: "好".repeat(1366) }, { name: "attach-data.too-large" }],
    [{ attachData: { a: 1 } }, { name: "parameter.invalid", parameter: "attachData", rule: "text" }],
    [
      { attachData: "a\u0000" },
      { name: "parameter.invalid", parameter: "attachData", rule: "null-character" },
    ],
    [{ bizNo: "" }, { name: "parameter.missing", parameter: "bizNo" }],
    [{ bizNo: "a b" }, { name: "parameter.invalid", parameter: "bizNo", rule: "visible-ascii" }],
    [{ bizNo: "x".repeat(65) }, { name: "parameter.invalid", parameter: "bizNo", rule: "length" }],
    [
      { goodsTitle: "a\nb" },
      { name: "parameter.invalid", parameter: "goodsTitle", rule: "control-characters" },
    ],
    [{ goodsTitle: "\ud800" }, { name: "parameter.invalid", parameter: "goodsTitle", rule: "unicode" }],
    [
      { customerName: "x".repeat(65) },
      { name: "parameter.invalid", parameter: "customerName", rule: "length" },
    ],
  ])("rejects %j", (changes, failure) => {
    expect(read(changes)._unsafeUnwrapErr()).toEqual(failure);
  });

  it("checks each parameter before the rules that combine them", () => {
    const wrong = { paySource: "JSAPI", bizNo: "a b" };
    const failure = { name: "parameter.invalid", parameter: "bizNo", rule: "visible-ascii" };
    expect(read(wrong)._unsafeUnwrapErr()).toEqual(failure);
  });

  it("counts characters, not code units", () => {
    expect(read({ goodsTitle: "😀".repeat(127) }).isOk()).toBe(true);
  });

  it("uses the limits of the given policy", () => {
    expect(read({ amount: 600 }, policyWith({ maxAmount: 599 })).isErr()).toBe(true);
  });
});
