import { expectFailure, expectOk } from "@tillkit/contract-tests";
import type { WalletAccount, WalletOptions } from "@tillkit/core";
import type { PaymentRequest } from "@tillkit/core/ports";
import { describe, expect, it } from "vitest";
import { account, NOW } from "../testing/keys.js";
import { openWallet } from "../testing/open-wallet.js";
import { LIMITS, request } from "../testing/requests.js";
import { textContaining } from "../testing/text-containing.js";
import type { WireCall } from "../testing/wechat-wire.js";

const STORE = { id: "0001", name: "腾讯大厦分店", area_code: "440305", address: "科技中一道" };
const OPTIONS: WalletOptions = {
  attach: "till 7",
  goods_tag: "WXG",
  support_fapiao: false,
  limit_pay: ["no_credit", "no_balance"],
  settle_info: { profit_sharing: true },
  detail: {
    cost_price: 608800,
    goods_detail: [{ merchant_goods_id: "g-1", goods_name: "会员", quantity: 1, unit_price: 100 }],
  },
};

const PAGE = "https://wx.tenpay.com/cgi-bin/mmpayweb-bin/checkmweb?prepay_id=wx1&package=1";
const ANSWERS = JSON.stringify({ prepay_id: "wx1", code_url: "weixin://wxpay/1", h5_url: PAGE });

/** Prepares an order, and returns the wallet with what it sent. */
async function prepared(changes: Partial<PaymentRequest>, by: WalletAccount = account, ip = "8.8.8.8") {
  const calls: WireCall[] = [];
  const { wallet } = await openWallet(
    (call) => {
      calls.push(call);
      return { status: 200, body: ANSWERS };
    },
    { payerClientIp: () => ip },
  );
  const asked = { ...request, ...changes };
  const prepayment = await expectOk(wallet.prepare(by, asked, LIMITS));
  const [call] = calls;
  if (call === undefined) throw new Error("nothing was sent");
  const payload = await expectOk(wallet.payload(by, asked, prepayment, NOW));
  return { target: call.target, text: call.body, body: bodyOf(call), payload };
}

function bodyOf({ body }: WireCall): object {
  const parsed: unknown = JSON.parse(body);
  if (typeof parsed !== "object" || parsed === null) throw new Error("no object was sent");
  return parsed;
}

describe("the options of an order", () => {
  it.each([
    ["APP", {}],
    ["NATIVE", {}],
    ["H5", {}],
    ["JSAPI", { payerId: "oUpF8uMuAJO" }],
  ] as const)(
    "are members of the request for %s, unchanged and before the members that the payment needs",
    async (paySource, more) => {
      const { body } = await prepared({ paySource, ...more, options: OPTIONS });
      expect(body).toMatchObject(OPTIONS);
      const names = Object.keys(body);
      expect(names.slice(names.indexOf("amount") + 1, names.indexOf("amount") + 7)).toEqual([
        "attach",
        "goods_tag",
        "support_fapiao",
        "limit_pay",
        "detail",
        "settle_info",
      ]);
    },
  );

  it("are the only members that differ from a request without options", async () => {
    const { body } = await prepared({ paySource: "APP", options: OPTIONS });
    const plain = await prepared({ paySource: "APP" });
    expect(body).toEqual({ ...plain.body, ...OPTIONS });
    expect((await prepared({ paySource: "APP", options: {} })).text).toBe(plain.text);
  });

  it("are sent for a sub-merchant as well", async () => {
    const provider = { ...account, id: "provider" };
    const credentials = { provider: "provider" };
    const shop = { ...account, id: "shop", accountId: "1900000201", credentials, provider };
    const { target, body } = await prepared({ paySource: "APP", options: OPTIONS }, shop);
    expect(target).toBe("/base/v3/pay/partner/transactions/app");
    expect(body).toMatchObject({ sp_mchid: account.accountId, sub_mchid: "1900000201", ...OPTIONS });
  });

  it("are equal bytes for equal requests", async () => {
    const [one, other] = [await prepared({ options: OPTIONS }), await prepared({ options: { ...OPTIONS } })];
    expect(other.text).toBe(one.text);
  });

  it("of Alipay are not sent", async () => {
    const options = { passback_params: "p", goods_type: "1", quit_url: "https://a.example" };
    const plain = await prepared({ paySource: "APP" });
    expect((await prepared({ paySource: "APP", options })).text).toBe(plain.text);
  });
});

describe("scene_info", () => {
  it("has the shop, and the customer's address", async () => {
    const options = { scene_info: { store_info: STORE } };
    const { body } = await prepared({ paySource: "NATIVE", options });
    expect(body).toMatchObject({ scene_info: { payer_client_ip: "8.8.8.8", store_info: STORE } });
    expect(body).not.toHaveProperty("scene_info.h5_info");
    expect((await prepared({ paySource: "H5", options })).body).toMatchObject({
      scene_info: { payer_client_ip: "8.8.8.8", store_info: STORE, h5_info: { type: "Wap" } },
    });
  });

  it("sends nothing without the customer's address, and the failure says that scene_info needs the address", async () => {
    const { wallet, wire } = await openWallet(() => ({ status: 200, body: ANSWERS }));
    const options = { scene_info: { store_info: STORE } };
    const refused = wallet.prepare(account, { ...request, paySource: "APP", options }, LIMITS);
    expect(await expectFailure(refused)).toMatchObject({
      name: "wallet.rejected",
      reason: "payer-address",
      trusted: true,
      detail: textContaining(/^scene_info needs the customer's IP address/),
    });
    expect(wire.refused).toEqual([]);
  });
});

describe("redirect_url", () => {
  it("is a parameter of the page, encoded once, and no member of the request", async () => {
    const redirect_url = "https://shop.example/paid?order=1&name=会员";
    const { payload, text } = await prepared({ paySource: "H5", options: { redirect_url } });
    const page = "h5_url" in payload ? new URL(payload.h5_url) : undefined;
    expect(page?.searchParams.get("redirect_url")).toBe(redirect_url);
    expect(page?.searchParams.get("prepay_id")).toBe("wx1");
    expect(payload).toEqual({ h5_url: `${PAGE}&redirect_url=${encodeURIComponent(redirect_url)}` });
    expect(text).not.toContain("redirect");
    expect((await prepared({ paySource: "H5" })).payload).toEqual({ h5_url: PAGE });
  });
});
