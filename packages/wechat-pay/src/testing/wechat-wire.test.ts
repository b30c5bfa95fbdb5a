import { expect, it, onTestFinished } from "vitest";
import { Wechatpay } from "wechatpay-axios-plugin";
import * as keys from "./keys.js";
import { textContaining } from "./text-containing.js";
import { wechatLedger } from "./wechat-ledger.js";
import { openWire } from "./wechat-wire.js";

const now = () => Date.now();

/** Creates a client with the third-party SDK for the test server, without Tillkit's own code. */
async function sdkOnWire(privateKey = keys.merchant.privateKey) {
  const ledger = wechatLedger(now);
  const wire = await openWire((call) => ledger.answer(call), now);
  onTestFinished(() => wire.close());
  const config = {
    mchid: keys.account.accountId,
    serial: keys.MERCHANT_SERIAL,
    privateKey: keys.pemOf(privateKey),
    certs: { [keys.PLATFORM_SERIAL]: keys.platform.publicKey, [keys.MODERN_ID]: keys.modern.publicKey },
    baseURL: wire.url,
  };
  const order = {
    appid: keys.account.walletAppId,
    mchid: config.mchid,
    description: "VIP 会员",
    out_trade_no: "01JCXW9Z3K7Q2N5T8V0B4D6F1H",
    time_expire: "2049-01-01T00:00:00+08:00",
    notify_url: "https://svc.example/notify",
    amount: { total: 100, currency: "CNY" },
  };
  const headers = { "user-agent": "sdk", accept: "application/json", "content-type": "application/json" };
  const prepay = () => new Wechatpay(config).chain("v3/pay/transactions/native").post(order, { headers });
  return { wire, prepay };
}

it("the test server accepts the requests of an SDK, and signs responses that the SDK accepts", async () => {
  const { wire, prepay } = await sdkOnWire();
  const { status, data } = await prepay();
  expect(status).toBe(200);
  expect(data).toMatchObject({ code_url: textContaining(/^weixin:/) });
  expect(wire.refused).toEqual([]);
});

it("the test server rejects the requests of an SDK that signs with another key", async () => {
  const { wire, prepay } = await sdkOnWire(keys.stranger.privateKey);
  await expect(prepay()).rejects.toMatchObject({ response: { status: 401 } });
  expect(wire.refused).toEqual(["a bad signature"]);
});
