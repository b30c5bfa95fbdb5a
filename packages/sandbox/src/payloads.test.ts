import type { PayChannel, PaymentRequest, WalletAccount } from "@tillkit/core";
import { beforeEach, describe, expect, inject, it } from "vitest";
import { openSandbox, type Sandbox } from "./index.js";
import { publicKeyOf, verifyBytes } from "./shared/rsa.js";
import { appPayloadText } from "./wallet-a/sign.js";
import { readForm, requestText } from "./wallet-b/sign.js";

const keys = inject("sandboxKeys");
const AT = Date.UTC(2026, 10, 20, 17, 5, 6, 789);
const LIMITS = { deadline: 1_000 };

describe("payloads", () => {
  let sandbox: Sandbox;
  beforeEach(async () => {
    sandbox = await openSandbox({ keys });
  });

  function account(payChannel: PayChannel): WalletAccount {
    const record = { id: "t", appId: "a", signStatus: "OK", gmtCreate: 0, gmtModified: 0 } as const;
    return { ...sandbox.payTools[payChannel], ...record };
  }

  function aRequest(changes: Partial<PaymentRequest> = {}): PaymentRequest {
    return {
      outTradeNo: "01JCXW9Z3K7Q2N5T8V0B4D6F1H",
      amount: 601,
      goodsTitle: "VIP 会员 a/b=c&d 😀",
      paySource: "APP",
      notifyUrl: "https://svc.example/notify",
      returnUrl: "https://svc.example/return",
      expiresAt: sandbox.clock.now() + 7_200_000,
      ...changes,
    };
  }

  async function payload(payChannel: PayChannel, request: PaymentRequest, at = AT) {
    const wallet = sandbox.wallets[payChannel];
    const local = wallet.localPrepayment(account(payChannel), request, AT);
    const prepayment = local ?? (await wallet.prepare(account(payChannel), request, LIMITS))._unsafeUnwrap();
    return (await wallet.payload(account(payChannel), request, prepayment, at))._unsafeUnwrap();
  }

  function proves(text: string, sign: string, pem: string): boolean {
    const key = publicKeyOf(pem);
    return key !== undefined && verifyBytes(Buffer.from(text), sign, key);
  }

  it("WALLET_A, APP: the merchant's signature over four lines, time in whole seconds", async () => {
    const data = await payload("WALLET_A", aRequest());
    if (!("prepayid" in data)) throw new Error("not an app payload");
    expect(Object.keys(data).sort()).toEqual(
      ["appid", "noncestr", "package", "partnerid", "prepayid", "sign", "timestamp"].sort(),
    );
    expect(data).toMatchObject({ package: "Sign=WXPay", timestamp: Math.floor(AT / 1000) });
    expect(data).toMatchObject({
      appid: account("WALLET_A").walletAppId,
      partnerid: account("WALLET_A").accountId,
    });
    expect(data.noncestr).toMatch(/^[0-9A-Z]{32}$/);
    const text = appPayloadText(data.appid, data.timestamp, data.noncestr, data.prepayid);
    expect(proves(text, data.sign, sandbox.keys.walletA.merchantPublicKey)).toBe(true);
    expect(proves(text.trimEnd(), data.sign, sandbox.keys.walletA.merchantPublicKey)).toBe(false);
  });

  it("WALLET_A, APP: another time has another nonce and the same prepayment", async () => {
    const { wallets } = sandbox;
    const request = aRequest();
    const prepayment = (await wallets.WALLET_A.prepare(account("WALLET_A"), request, LIMITS))._unsafeUnwrap();
    const at = async (time: number) =>
      (await wallets.WALLET_A.payload(account("WALLET_A"), request, prepayment, time))._unsafeUnwrap();
    const [first, later] = [await at(AT), await at(AT + 60_000)];
    if (!("prepayid" in first && "prepayid" in later)) throw new Error("not app payloads");
    expect(later.prepayid).toBe(first.prepayid);
    expect(later.noncestr).not.toBe(first.noncestr);
  });

  it("WALLET_B, APP: the app's signature over the sorted parameters, in China's time", async () => {
    const request = aRequest({ expiresAt: Date.UTC(2099, 0, 1, 0, 0, 0) });
    const data = await payload("WALLET_B", request);
    if (!("biz_content" in data)) throw new Error("not an app payload");
    expect(data).toMatchObject({
      app_id: account("WALLET_B").walletAppId,
      method: "alipay.trade.app.pay",
      format: "JSON",
      charset: "utf-8",
      sign_type: "RSA2",
      timestamp: "2026-11-21 01:05:06",
      version: "1.0",
      notify_url: request.notifyUrl,
      return_url: request.returnUrl,
    });
    expect(JSON.parse(data.biz_content)).toEqual({
      body: request.goodsTitle,
      out_trade_no: request.outTradeNo,
      product_code: "QUICK_MSECURITY_PAY",
      subject: "VIP 会员 a b c d 😀",
      total_amount: "6.01",
      time_expire: "2099-01-01 08:00:00",
    });
    const { appPublicKey } = sandbox.keys.walletB;
    expect(proves(requestText({ ...data }), data.sign, appPublicKey)).toBe(true);
    const { sign_type: _signType, ...rest } = data;
    expect(proves(requestText(rest), data.sign, appPublicKey)).toBe(false);
    expect(
      proves(requestText({ ...data, biz_content: `${data.biz_content} ` }), data.sign, appPublicKey),
    ).toBe(false);
  });

  it("WALLET_B: a title of forbidden characters only still has a subject", async () => {
    const data = await payload("WALLET_B", aRequest({ goodsTitle: "/=&" }));
    if (!("biz_content" in data)) throw new Error("not an app payload");
    expect(JSON.parse(data.biz_content)).toMatchObject({
      body: "/=&",
      subject: "01JCXW9Z3K7Q2N5T8V0B4D6F1H",
    });
  });

  it("WALLET_B, H5: a signed address for the browser", async () => {
    const data = await payload("WALLET_B", aRequest({ paySource: "H5" }));
    if (!("pay_url" in data)) throw new Error("not a browser payload");
    const parameters = readForm(new TextEncoder().encode(new URL(data.pay_url).search.slice(1))) ?? {};
    expect(parameters["method"]).toBe("alipay.trade.wap.pay");
    expect(JSON.parse(parameters["biz_content"] ?? "")).toMatchObject({
      product_code: "QUICK_WAP_WAY",
      quit_url: "https://svc.example/return",
    });
    expect(proves(requestText(parameters), parameters["sign"] ?? "", sandbox.keys.walletB.appPublicKey)).toBe(
      true,
    );
  });

  it("for codes and browsers have one member each", async () => {
    const members = async (payChannel: PayChannel, paySource: PaymentRequest["paySource"]) =>
      Object.keys(
        await payload(payChannel, aRequest({ paySource, outTradeNo: `${payChannel}-${paySource}` })),
      );
    expect(await members("WALLET_A", "NATIVE")).toEqual(["code_url"]);
    expect(await members("WALLET_A", "H5")).toEqual(["h5_url"]);
    expect(await members("WALLET_B", "NATIVE")).toEqual(["qr_code"]);
    expect(await members("WALLET_B", "H5")).toEqual(["pay_url"]);
  });

  it("asks no wallet at WALLET_B in an app and in a browser, and always at WALLET_A", () => {
    const local = (payChannel: PayChannel, paySource: PaymentRequest["paySource"]) =>
      sandbox.wallets[payChannel].localPrepayment(account(payChannel), aRequest({ paySource }), AT) !==
      undefined;
    expect([local("WALLET_B", "APP"), local("WALLET_B", "H5"), local("WALLET_B", "NATIVE")]).toEqual([
      true,
      true,
      false,
    ]);
    expect([local("WALLET_A", "APP"), local("WALLET_A", "H5"), local("WALLET_A", "NATIVE")]).toEqual([
      false,
      false,
      false,
    ]);
  });
});

describe("accounts", () => {
  it("of production are not served", async () => {
    const { wallets, payTools } = await openSandbox({ keys });
    const record = {
      id: "t",
      appId: "a",
      signStatus: "OK",
      appEnv: "PROD",
      gmtCreate: 0,
      gmtModified: 0,
    } as const;
    for (const payChannel of ["WALLET_A", "WALLET_B"] as const) {
      const problems = await wallets[payChannel].checkAccount({ ...payTools[payChannel], ...record });
      expect(problems).toEqual(["the sandbox serves DEV accounts only"]);
    }
  });

  it("at WALLET_B that trust their own key instead of the wallet's are told so", async () => {
    const { wallets, payTools } = await openSandbox({ keys });
    const record = { id: "t", appId: "a", signStatus: "OK", gmtCreate: 0, gmtModified: 0 } as const;
    const credentials = { ...payTools.WALLET_B.credentials, alipayPublicKey: keys.walletB.app.publicKey };
    const problems = await wallets.WALLET_B.checkAccount({ ...payTools.WALLET_B, ...record, credentials });
    expect(problems).toEqual(["alipayPublicKey is the app's own public key, not the wallet's"]);
  });
});
