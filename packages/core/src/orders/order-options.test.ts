import { describe, expect, it } from "vitest";
import { differingOptions, optionProblem, orderOptions } from "./order-options.js";

describe("orderOptions", () => {
  it("are absent if neither the order nor its pay tool has options for this payment", () => {
    expect(orderOptions(undefined, undefined, "APP")).toBeUndefined();
    expect(orderOptions({}, {}, "APP")).toBeUndefined();
    expect(orderOptions({ quit_url: "https://shop.example" }, undefined, "APP")).toBeUndefined();
  });

  it("keep the given options separate from the sent options", () => {
    const defaults = { attach: "shop 1", limit_pay: ["no_credit"] };
    expect(orderOptions(defaults, { attach: "till 7" }, "APP")).toEqual({
      given: { attach: "till 7" },
      sent: { attach: "till 7", limit_pay: ["no_credit"] },
    });
    expect(orderOptions(defaults, undefined, "APP")).toEqual({ given: {}, sent: defaults });
    expect(orderOptions(undefined, { goods_tag: "t" }, "APP")).toEqual({
      given: { goods_tag: "t" },
      sent: { goods_tag: "t" },
    });
  });

  it("replace a default as a whole, also an object", () => {
    const defaults = { extend_params: { hb_fq_num: "3", hb_fq_seller_percent: "0" } };
    const given = { extend_params: { sys_service_provider_id: "2088511833207846" } };
    expect(orderOptions(defaults, given, "APP")?.sent).toEqual(given);
  });

  it("ignore the default channels if the order names channels", () => {
    const defaults = { disable_pay_channels: "pcredit", goods_type: "1" };
    const given = { enable_pay_channels: "balance" };
    expect(orderOptions(defaults, given, "PC")?.sent).toEqual({ goods_type: "1", ...given });
  });

  it.each([
    ["H5", ["redirect_url", "goods_type", "quit_url"]],
    ["APP", ["goods_type"]],
    ["PC", ["goods_type"]],
    ["NATIVE", []],
    ["JSAPI", []],
  ] as const)("take only the defaults that the wallet takes for %s", (paySource, names) => {
    const defaults = { redirect_url: "https://a.example", goods_type: "0", quit_url: "https://b.example" };
    expect(Object.keys(orderOptions(defaults, undefined, paySource)?.sent ?? {})).toEqual(names);
  });

  it("are sent in a fixed order, also if they were written in another order", () => {
    const sent = orderOptions(
      { settle_info: { profit_sharing: true } },
      { goods_tag: "t", attach: "a" },
      "APP",
    );
    expect(JSON.stringify(sent?.sent)).toBe(
      '{"attach":"a","goods_tag":"t","settle_info":{"profit_sharing":true}}',
    );
  });
});

describe("differingOptions", () => {
  it("names the options that differ, and ignores the order of members", () => {
    const line = { merchant_goods_id: "g", quantity: 1, unit_price: 2 };
    const other = { unit_price: 2, quantity: 1, merchant_goods_id: "g" };
    expect(
      differingOptions({ detail: { goods_detail: [line] } }, { detail: { goods_detail: [other] } }),
    ).toEqual([]);
    expect(differingOptions(undefined, {})).toEqual([]);
    expect(differingOptions({ attach: "a" }, undefined)).toEqual(["attach"]);
    expect(differingOptions({ attach: "a", goods_tag: "t" }, { attach: "b", goods_tag: "t" })).toEqual([
      "attach",
    ]);
    expect(differingOptions({ limit_pay: ["no_credit", "no_debit"] }, { limit_pay: ["no_debit"] })).toEqual([
      "limit_pay",
    ]);
  });
});

describe("optionProblem", () => {
  it.each([
    ["WALLET_A", "APP", { passback_params: "p" }, "passback_params", "wallet-b-only"],
    ["WALLET_B", "APP", { attach: "a" }, "attach", "wallet-a-only"],
    ["WALLET_A", "NATIVE", { redirect_url: "https://a.example" }, "redirect_url", "wallet-a-h5-only"],
    ["WALLET_B", "PC", { quit_url: "https://a.example" }, "quit_url", "wallet-b-h5-only"],
    ["WALLET_B", "NATIVE", { goods_type: "1" }, "goods_type", "wallet-b-goods-type"],
  ] as const)("names the problem at %s for %s: %o", (payChannel, paySource, walletOptions, option, rule) => {
    expect(optionProblem({ payChannel, paySource, walletOptions })).toEqual({ option, rule });
  });

  it("finds no problem in options that fit the wallet and the payment", () => {
    expect(optionProblem({ payChannel: "WALLET_A", paySource: "H5" })).toBeUndefined();
    const walletOptions = { attach: "a", redirect_url: "https://a.example" };
    expect(optionProblem({ payChannel: "WALLET_A", paySource: "H5", walletOptions })).toBeUndefined();
  });
});
