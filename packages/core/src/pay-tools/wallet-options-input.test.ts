import { describe, expect, it } from "vitest";
import { failureMessage } from "../errors/message.js";
import { orThrow } from "../errors/or-throw.js";
import { createOrderInput } from "../orders/create-order-input.js";
import { defaultPolicy } from "../policy.js";
import { parseInput } from "../shared/input.js";

const order = { bizNo: "b-1", customerIdentity: "c-1", amount: 600, goodsTitle: "Thirty days" };
const parse = (payChannel: string, paySource: string, walletOptions: unknown) =>
  parseInput(createOrderInput(defaultPolicy), { ...order, payChannel, paySource, walletOptions });

const GOODS = { merchant_goods_id: "g-1_A", quantity: 1, unit_price: 600 };
const ALL_A = {
  attach: "till 7",
  goods_tag: "WXG",
  support_fapiao: true,
  limit_pay: ["no_credit"],
  settle_info: { profit_sharing: true },
  detail: { cost_price: 608800, invoice_id: "微信123", goods_detail: [GOODS] },
  scene_info: {
    store_info: { id: "0001", name: "腾讯大厦分店", area_code: "440305", address: "科技中一道" },
  },
  redirect_url: "https://shop.example/paid?order=1",
};
const ALL_B = {
  passback_params: "merchantBizType=3C&merchantBizNo=1",
  goods_type: "1",
  enable_pay_channels: "balance,moneyFund,debitCardExpress",
  extend_params: {
    hb_fq_num: "3",
    hb_fq_seller_percent: "100",
    sys_service_provider_id: "2088511833207846",
  },
  quit_url: "http://shop.example/quit",
};

describe("the options of an order", () => {
  it("are those that the wallet documents, as they were given", () => {
    expect(orThrow(parse("WALLET_A", "H5", ALL_A)).walletOptions).toEqual(ALL_A);
    expect(orThrow(parse("WALLET_B", "H5", ALL_B)).walletOptions).toEqual(ALL_B);
  });

  it("are absent if they are null or not there", () => {
    for (const nothing of [null, undefined])
      expect(orThrow(parse("WALLET_A", "APP", nothing)).walletOptions).toBeUndefined();
  });

  it("have their members in one order, at every depth", () => {
    const reversed = (value: unknown): unknown => {
      if (Array.isArray(value)) return value.map(reversed);
      if (typeof value !== "object" || value === null) return value;
      return Object.fromEntries(
        Object.entries(value)
          .toReversed()
          .map(([name, member]) => [name, reversed(member)]),
      );
    };
    const [one, other] = [ALL_A, reversed(ALL_A)].map((options) =>
      JSON.stringify(orThrow(parse("WALLET_A", "H5", options)).walletOptions),
    );
    expect(other).toBe(one);
  });

  it.each<readonly [what: string, options: object, parameter: string, rule: string]>([
    ["an unknown option", { openid: "o" }, "openid", "wallet-option-unknown"],
    [
      "a parameter of the request",
      { notify_url: "https://a.example" },
      "notify_url",
      "wallet-option-unknown",
    ],
    ["an option of the other wallet", { passback_params: "p" }, "passback_params", "wallet-b-only"],
    [
      "an option of another payment",
      { redirect_url: "https://a.example" },
      "redirect_url",
      "wallet-a-h5-only",
    ],
    [
      "an unknown member",
      { settle_info: { profit_sharing: true, x: 1 } },
      "settle_info.x",
      "wallet-option-unknown",
    ],
    ["129 bytes of attach", { attach: "会".repeat(43) }, "attach", "wallet-a-length"],
    ["an empty attach", { attach: "" }, "attach", "wallet-a-value"],
    ["an emoji", { attach: "😀" }, "attach", "wallet-a-text"],
    ["a line feed", { goods_tag: "a\nb" }, "goods_tag", "wallet-a-text"],
    ["33 bytes of goods_tag", { goods_tag: "t".repeat(33) }, "goods_tag", "wallet-a-length"],
    ["a text for yes", { support_fapiao: "true" }, "support_fapiao", "wallet-a-value"],
    ["an unknown limit", { limit_pay: ["no_huabei"] }, "limit_pay[0]", "wallet-a-value"],
    ["no limit", { limit_pay: [] }, "limit_pay", "wallet-a-value"],
    ["a limit twice", { limit_pay: ["no_debit", "no_debit"] }, "limit_pay", "wallet-a-value"],
    ["a text of limits", { limit_pay: "no_credit" }, "limit_pay", "wallet-a-value"],
    ["no decision", { settle_info: {} }, "settle_info.profit_sharing", "wallet-a-value"],
    [
      "half a piece",
      { detail: { goods_detail: [{ ...GOODS, quantity: 0.5 }] } },
      "detail.goods_detail[0].quantity",
      "wallet-a-value",
    ],
    ["no goods", { detail: { goods_detail: [] } }, "detail.goods_detail", "wallet-a-value"],
    [
      "too many goods",
      { detail: { goods_detail: Array.from({ length: 150 }, () => GOODS) } },
      "detail",
      "wallet-a-length",
    ],
    [
      "very many goods",
      { detail: { goods_detail: Array.from({ length: 9_999 }, () => GOODS) } },
      "detail.goods_detail",
      "wallet-a-length",
    ],
    [
      "an address of the payer",
      { scene_info: { payer_client_ip: "8.8.8.8" } },
      "scene_info.store_info",
      "shape",
    ],
    [
      "a shop without id",
      { scene_info: { store_info: { name: "n" } } },
      "scene_info.store_info.id",
      "wallet-a-value",
    ],
  ])("are refused at WALLET_A with %s", (_what, options, parameter, rule) => {
    expect(parse("WALLET_A", "APP", options)._unsafeUnwrapErr()).toEqual({
      name: "parameter.invalid",
      parameter: `walletOptions.${parameter}`,
      rule,
    });
  });

  it.each<readonly [what: string, options: object, parameter: string, rule: string]>([
    ["an option of the other wallet", { limit_pay: ["no_credit"] }, "limit_pay", "wallet-a-only"],
    ["an option of another payment", { quit_url: "https://a.example" }, "quit_url", "wallet-b-h5-only"],
    [
      "171 characters that become 513",
      { passback_params: "=".repeat(171) },
      "passback_params",
      "wallet-b-length",
    ],
    ["half a surrogate pair", { passback_params: "\ud800" }, "passback_params", "unicode"],
    ["another type of goods", { goods_type: "2" }, "goods_type", "wallet-b-value"],
    [
      "a channel that does not exist",
      { disable_pay_channels: "creditcard" },
      "disable_pay_channels",
      "wallet-b-value",
    ],
    [
      "a space between channels",
      { disable_pay_channels: "balance, point" },
      "disable_pay_channels",
      "wallet-b-value",
    ],
    [
      "channels on and off",
      { enable_pay_channels: "balance", disable_pay_channels: "point" },
      "disable_pay_channels",
      "wallet-b-one-of-channels",
    ],
    [
      "half of the instalments",
      { extend_params: { hb_fq_num: "3" } },
      "extend_params",
      "wallet-b-instalments",
    ],
    [
      "four instalments",
      { extend_params: { hb_fq_num: "4", hb_fq_seller_percent: "0" } },
      "extend_params.hb_fq_num",
      "wallet-b-value",
    ],
    [
      "another extension",
      { extend_params: { royalty_freeze: "true" } },
      "extend_params.royalty_freeze",
      "wallet-option-unknown",
    ],
  ])("are refused at WALLET_B with %s", (_what, options, parameter, rule) => {
    expect(parse("WALLET_B", "APP", options)._unsafeUnwrapErr()).toEqual({
      name: "parameter.invalid",
      parameter: `walletOptions.${parameter}`,
      rule,
    });
  });

  it.each(["javascript:alert(1)", "shop.example", "https://a b", "https://"])(
    "are refused if an address is %s",
    (address) => {
      expect(parse("WALLET_B", "H5", { quit_url: address })._unsafeUnwrapErr()).toMatchObject({
        parameter: "walletOptions.quit_url",
        rule: "wallet-address",
      });
    },
  );

  it("take the longest texts, in the unit of each wallet", () => {
    expect(parse("WALLET_A", "APP", { attach: "会".repeat(42) + "12" }).isOk()).toBe(true);
    expect(parse("WALLET_B", "APP", { passback_params: "=".repeat(170) + "12" }).isOk()).toBe(true);
    const quit_url = `https://a.example/${"q".repeat(382)}`;
    expect(parse("WALLET_B", "H5", { quit_url }).isOk()).toBe(true);
    expect(parse("WALLET_B", "H5", { quit_url: `${quit_url}q` })._unsafeUnwrapErr()).toMatchObject({
      rule: "wallet-b-length",
    });
  });

  it("name the option and the wallet in both languages, and no value", () => {
    const failure = parse("WALLET_A", "APP", { quit_url: "https://secret.example" })._unsafeUnwrapErr();
    expect(failureMessage(failure, "en")).toBe(
      "Parameter walletOptions.quit_url is an option of WALLET_B (Alipay) only",
    );
    expect(failureMessage(failure, "zh")).toContain("支付宝");
  });
});
