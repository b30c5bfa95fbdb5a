import { createSign } from "node:crypto";
import { orThrow } from "@tillkit/core";
import { testWalletKeys as keys } from "@tillkit/test-keys";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { openSandbox, type Payload, type Sandbox } from "./index.js";
import { beijing } from "./testing/beijing.js";
import { walletASender } from "./testing/wechat-pay-client.js";

let sandbox: Sandbox;
beforeEach(async () => {
  sandbox = await openSandbox({ keys, deliver: () => Promise.resolve({ status: 200, body: "success" }) });
});
afterEach(() => sandbox.close());

const NUMBER = "01JCXW9Z3K7Q2N5T8V0B4D6F1H";
const MINUTE = 60_000;

function refusalOf(shown: Payload): string {
  const { status, message } = sandbox.simulatorControls.open(shown)._unsafeUnwrapErr();
  return `${status} ${message}`;
}

/** Returns the only member of WeChat Pay's response to a prepay request. */
async function prepaid(way: "app" | "native" | "h5"): Promise<string> {
  const { merchant, addresses, clock } = sandbox;
  const send = walletASender(addresses.walletA, merchant.walletA, () => clock.now());
  const order = {
    appid: merchant.walletA.appid,
    mchid: merchant.walletA.mchid,
    description: "VIP",
    out_trade_no: NUMBER,
    notify_url: "http://127.0.0.1:8787/n",
    amount: { total: 600 },
    scene_info: { payer_client_ip: "10.0.0.1", ...(way === "h5" ? { h5_info: { type: "Wap" } } : {}) },
  };
  const target = `/v3/pay/transactions/${way}`;
  const { text } = await send({ method: "POST", target, body: JSON.stringify(order) });
  return /:"([^"]+)"\}$/.exec(text)?.[1] ?? "";
}

describe("WALLET_A's app", () => {
  const lines = (appid: string, timestamp: number, noncestr: string, prepayid: string) =>
    `${appid}\n${timestamp}\n${noncestr}\n${prepayid}\n`;
  const signed = (text: string, privateKey = keys.walletA.merchant.privateKey) =>
    createSign("RSA-SHA256").update(text).sign(privateKey, "base64");

  async function appPayload() {
    const prepayid = await prepaid("app");
    const { appid, mchid: partnerid } = sandbox.merchant.walletA;
    const [timestamp, noncestr] = [1_414_561_699, "5K8264ILTKCH16CQ2502SI8ZNMTM67VS"];
    const sign = signed(lines(appid, timestamp, noncestr, prepayid));
    return { appid, partnerid, prepayid, noncestr, package: "Sign=WXPay", timestamp, sign };
  }

  it("opens and pays with the signed payload", async () => {
    const shown = await appPayload();
    expect(orThrow(sandbox.simulatorControls.open(shown))).toEqual({
      outTradeNo: NUMBER,
      state: "NOTPAY",
    });
    expect(await orThrow(sandbox.simulatorControls.pay(shown))).toEqual({
      outTradeNo: NUMBER,
      state: "PAID",
      notified: true,
    });
  });

  it("rejects any other payload", async () => {
    const good = await appPayload();
    const { appid, timestamp, noncestr, prepayid } = good;
    const resigned = (changes: Partial<typeof good>) => {
      const all = { ...good, ...changes };
      return { ...all, sign: signed(lines(all.appid, all.timestamp, all.noncestr, all.prepayid)) };
    };
    const spoiled: readonly [string, Payload][] = [
      ["appid", resigned({ appid: "wx0000000000000000" })],
      ["partnerid", { ...good, partnerid: "1900000110" }],
      ["package", { ...good, package: "Sign=WXPay " }],
      ["sign", { ...good, timestamp: timestamp + 1 }],
      ["sign", { ...good, noncestr: "other" }],
      ["sign", { ...good, prepayid: "wx000000000000000000000000" }],
      ["sign", { ...good, sign: signed(lines(appid, timestamp, noncestr, prepayid).slice(0, -1)) }],
      [
        "sign",
        { ...good, sign: signed(lines(appid, timestamp, noncestr, prepayid), keys.retired.privateKey) },
      ],
      ["issued no", resigned({ prepayid: "wx000000000000000000000000" })],
    ];
    for (const [why, shown] of spoiled) {
      const refusal = refusalOf(shown);
      expect(refusal).toMatch(/^422 The wallet refuses the payload: /);
      expect(refusal).toContain(why);
    }
    expect((await sandbox.simulatorControls.pay({ ...good, sign: "c2lnbg==" })).isErr()).toBe(true);
    expect(sandbox.simulatorControls.balance("WALLET_A")).toBe(0);
  });

  it("expires after two hours", async () => {
    const shown = await appPayload();
    sandbox.clock.advance(120 * MINUTE - 5_000);
    expect(sandbox.simulatorControls.open(shown).isOk()).toBe(true);
    sandbox.clock.advance(6_000);
    expect(refusalOf(shown)).toContain("has expired");
  });
});

describe("WALLET_A's codes and pages", () => {
  it("open the payment with a code until the code expires", async () => {
    const code_url = await prepaid("native");
    expect(orThrow(sandbox.simulatorControls.open({ code_url })).outTradeNo).toBe(NUMBER);
    expect(refusalOf({ code_url: `${code_url}0` })).toContain("issued no");
    expect(refusalOf({ h5_url: code_url })).toContain("issued no");
    sandbox.clock.advance(121 * MINUTE);
    expect(refusalOf({ code_url })).toContain("has expired");
  });

  it("open the payment with a page, with or without its return URL, for five minutes", async () => {
    const h5_url = await prepaid("h5");
    expect(orThrow(sandbox.simulatorControls.open({ h5_url })).outTradeNo).toBe(NUMBER);
    const returning = { h5_url: `${h5_url}&redirect_url=https%3A%2F%2Fsvc.example` };
    expect(orThrow(sandbox.simulatorControls.open(returning)).outTradeNo).toBe(NUMBER);
    expect(refusalOf({ h5_url: h5_url.replace("wx.tenpay.com", "wx.example") })).toContain("issued no");
    sandbox.clock.advance(5 * MINUTE + 1_000);
    expect(refusalOf({ h5_url })).toContain("has expired");
  });
});

describe("WALLET_B's app and pages", () => {
  function signedForm(method: string, changes: Readonly<Record<string, string>> = {}, content: object = {}) {
    const product_code = method === "alipay.trade.app.pay" ? "QUICK_MSECURITY_PAY" : "QUICK_WAP_WAY";
    const parameters: Record<string, string> = {
      app_id: "2014072300007148",
      method,
      format: "JSON",
      charset: "utf-8",
      sign_type: "RSA2",
      timestamp: beijing(sandbox.clock.now()),
      version: "1.0",
      notify_url: "http://127.0.0.1:8787/n",
      return_url: "http://127.0.0.1:8787/r",
      biz_content: JSON.stringify({
        out_trade_no: NUMBER,
        subject: "VIP",
        total_amount: "6.00",
        product_code,
        ...content,
      }),
      ...changes,
    };
    const names = Object.keys(parameters).sort();
    const text = names.map((name) => `${name}=${parameters[name] ?? ""}`).join("&");
    const sign = createSign("RSA-SHA256").update(text).sign(keys.walletB.app.privateKey, "base64");
    return { biz_content: "", ...parameters, sign };
  }
  const appForm = (changes?: Readonly<Record<string, string>>, content?: object) =>
    signedForm("alipay.trade.app.pay", changes, content);
  const query = (parameters: Readonly<Record<string, string>>) => new URLSearchParams(parameters).toString();

  it("open the payment with the object, with its order string, and with a signed URL", async () => {
    expect(sandbox.simulatorControls.order(NUMBER).isErr()).toBe(true);
    expect(orThrow(sandbox.simulatorControls.open(appForm()))).toEqual({
      outTradeNo: NUMBER,
      state: "NOTPAY",
    });
    expect(await orThrow(sandbox.simulatorControls.pay({ orderString: query(appForm()) }))).toMatchObject({
      state: "PAID",
    });
    const other = signedForm("alipay.trade.wap.pay", {}, { out_trade_no: "another_order" });
    const pay_url = `${sandbox.addresses.walletB}?${query(other)}`;
    expect(orThrow(sandbox.simulatorControls.open({ pay_url })).outTradeNo).toBe("another_order");
  });

  it("reject any other payload, and create no trade", async () => {
    const good = appForm();
    const wap = signedForm("alipay.trade.wap.pay");
    const spoiled: readonly [string, Payload][] = [
      ["isv.invalid-signature", { ...good, biz_content: good.biz_content.replace("6.00", "0.01") }],
      ["isv.invalid-signature", { ...good, notify_url: "http://127.0.0.1:1/n" }],
      ["isv.invalid-signature", { ...good, return_url: "" }],
      ["isv.invalid-signature", { ...good, sign: "c2lnbg==" }],
      ["isv.missing-signature", { ...good, sign: "" }],
      ["isv.invalid-app-id", appForm({ app_id: "2014072300007149" })],
      ["isv.invalid-signature-type", appForm({ sign_type: "RSA" })],
      ["ACQ.INVALID_PARAMETER", appForm({}, { total_amount: "0" })],
      ["ACQ.INVALID_PARAMETER", appForm({}, { product_code: "QUICK_WAP_WAY" })],
      ["ACQ.INVALID_PARAMETER", appForm({ notify_url: "http://svc.example/n" })],
      ["isv.invalid-method", wap],
      ["isv.invalid-method", { pay_url: `${sandbox.addresses.walletB}?${query(good)}` }],
      ["does not point", { pay_url: `${sandbox.addresses.walletB}/other?${query(wap)}` }],
      ["does not point", { orderString: "nonsense" }],
      ["does not point", { orderString: `${query(good)}&app_id=1` }],
      ["issued no", { qr_code: "https://qr.alipay.com/000000000000000000000000" }],
    ];
    for (const [why, shown] of spoiled) {
      expect(refusalOf(shown), JSON.stringify(shown)).toContain(why);
      expect((await sandbox.simulatorControls.pay(shown)).isErr()).toBe(true);
    }
    expect(sandbox.simulatorControls.order(NUMBER).isErr()).toBe(true);
  });

  it("store the terms of the first payload, and reject other terms afterwards", () => {
    const [cheap, dear] = [appForm({}, { total_amount: "0.01" }), appForm()];
    orThrow(sandbox.simulatorControls.receive(cheap));
    expect(sandbox.simulatorControls.receive(dear)._unsafeUnwrapErr().message).toContain("conflict");
    orThrow(sandbox.simulatorControls.open(dear));
    expect(orThrow(sandbox.simulatorControls.order(NUMBER))).toMatchObject({ amount: 600 });
    expect(refusalOf(cheap)).toContain("ACQ.CONTEXT_INCONSISTENT");
  });

  it("store a received payload, which can then be paid by its number, and count equal terms as one prepayment", async () => {
    orThrow(sandbox.simulatorControls.receive(appForm()));
    orThrow(
      sandbox.simulatorControls.receive(appForm({ timestamp: beijing(sandbox.clock.now() + 3_600_000) })),
    );
    expect(orThrow(sandbox.simulatorControls.order(NUMBER))).toEqual({
      outTradeNo: NUMBER,
      state: "NOTPAY",
      amount: 600,
      prepayCount: 1,
    });
    expect(await orThrow(sandbox.simulatorControls.pay(NUMBER))).toMatchObject({
      state: "PAID",
      notified: true,
    });
    expect(sandbox.simulatorControls.receive({ code_url: "weixin://" }).isErr()).toBe(true);
  });

  it("count the same page with another return URL as the same prepayment", () => {
    for (const quit_url of ["http://127.0.0.1:8001/r", "http://127.0.0.1:8002/r"]) {
      const parameters = signedForm("alipay.trade.wap.pay", { return_url: quit_url }, { quit_url });
      const pay_url = `${sandbox.addresses.walletB}?${query(parameters)}`;
      expect(orThrow(sandbox.simulatorControls.receive({ pay_url }))).toEqual({
        outTradeNo: NUMBER,
        state: "NOTPAY",
      });
    }
    expect(orThrow(sandbox.simulatorControls.order(NUMBER))).toMatchObject({ prepayCount: 1 });
  });

  it("accept no payment after it expires, except a late one", async () => {
    const shown = appForm({}, { timeout_express: "5m" });
    orThrow(sandbox.simulatorControls.open(shown));
    sandbox.clock.advance(5 * MINUTE + 1_000);
    expect(refusalOf(shown)).toContain("409 The order has expired");
    expect((await sandbox.simulatorControls.pay(NUMBER)).isErr()).toBe(true);
    expect(await orThrow(sandbox.simulatorControls.pay(NUMBER, { late: true }))).toMatchObject({
      state: "PAID",
    });
  });
});
