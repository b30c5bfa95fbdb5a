import { createHash } from "node:crypto";
import { gunzipSync } from "node:zlib";
import { testWalletKeys as keys } from "@tillkit/test-keys";
import { beforeEach, describe, expect, it } from "vitest";
import Pay from "wechatpay-node-v3";
import { z } from "zod";
import { envelope, members } from "../testing/json.js";
import { NUMBER } from "../testing/sandbox-harness.js";
import { openSdkHarness, type SdkHarness } from "../testing/sdk-harness.js";

const OFFICIAL = "https://api.mch.weixin.qq.com";
const OPENID = "oUpF8uMuAJO_M2pxb1Q9zNjWeS6o";
const REFUNDS = "http://127.0.0.1:8787/refunds";

/** The client's result of a call. */
interface Output {
  readonly status: number;
  readonly data?: unknown;
  readonly error?: string;
}

let harness: SdkHarness;
let pay: Pay;
/** The results of the client's own verifier for each response, oldest first. */
let verdicts: boolean[];
beforeEach(async () => {
  harness = await openSdkHarness();
  verdicts = [];
  pay = clientOf();
});

/**
 * Creates the client for the sandbox.
 *
 * The client has fixed URLs and does not verify by itself. This transport replaces the host and
 * makes the client verify every signed response.
 */
function clientOf(): Pay {
  const { addresses, merchant } = harness.sandbox;
  const { appid, mchid, merchantSerialNo: serial_no, merchantPrivateKey, apiV3Key: key } = merchant.walletA;
  const publicKey = Buffer.from(keys.walletA.merchant.publicKey);
  const client = new Pay({
    appid,
    mchid,
    serial_no,
    publicKey,
    privateKey: Buffer.from(merchantPrivateKey),
    key,
  });

  async function ask(url: string, init: RequestInit): Promise<Output> {
    const response = await fetch(url.replace(OFFICIAL, addresses.walletA), init);
    const bytes = Buffer.from(await response.arrayBuffer());
    const header = (name: string) => response.headers.get(`wechatpay-${name}`) ?? "";
    // The client verifies with the list of certificates, and bills are not signed.
    if (!/\/v3\/(certificates|billdownload)/.test(url)) {
      const [timestamp, nonce] = [header("timestamp"), header("nonce")];
      const signed = { timestamp, nonce, body: bytes.toString(), serial: header("serial") };
      verdicts.push(await client.verifySign({ ...signed, signature: header("signature") }));
    }
    if (!response.ok) return { status: response.status, error: bytes.toString() };
    const isJson = response.headers.get("content-type")?.startsWith("application/json") === true;
    const data: unknown = isJson ? JSON.parse(bytes.toString()) : bytes;
    return { status: response.status, data };
  }

  const headersIn = (headers: unknown) => z.record(z.string(), z.string()).parse(headers);
  client.createHttp({
    get: (url, headers) => ask(url, { headers: headersIn(headers) }),
    post: (url, params, headers) =>
      ask(url, { method: "POST", body: JSON.stringify(params), headers: headersIn(headers) }),
    upload: () => Promise.reject(new Error("This client uploads nothing.")),
  });
  return client;
}

const order = (out_trade_no = NUMBER) => ({
  description: "VIP 会员",
  out_trade_no,
  notify_url: "http://127.0.0.1:8787/wallets/WALLET_A",
  amount: { total: 600, currency: "CNY" },
});
const scene = { payer_client_ip: "203.0.113.9" };
const payload = (output: Output) => z.record(z.string(), z.string()).parse(output.data);
const shown = async (output: Output) =>
  (await harness.control("POST", "/open", { payload: payload(output) })).status;

describe("wechatpay-node-v3 at the sandbox, with verification", () => {
  it("prepares orders in every way, with payloads that open them", async () => {
    const { merchant } = harness.sandbox;
    const app = await pay.transactions_app({ ...order("order-app"), scene_info: scene });
    expect(app.data).toMatchObject({ partnerid: merchant.walletA.mchid, package: "Sign=WXPay" });
    const jsapi = await pay.transactions_jsapi({ ...order("order-jsapi"), payer: { openid: OPENID } });
    expect(jsapi.data).toMatchObject({ appId: merchant.walletA.appid, signType: "RSA" });
    const native = await pay.transactions_native(order("order-native"));
    const h5_info = { type: "Wap", app_name: "shop" };
    const h5 = await pay.transactions_h5({ ...order("order-h5"), scene_info: { ...scene, h5_info } });
    for (const output of [app, jsapi, native, h5]) expect(await shown(output)).toBe(200);
    expect(verdicts).toEqual([true, true, true, true]);
  });

  it("finds an order by both numbers, and closes another one", async () => {
    await pay.transactions_native(order());
    expect((await pay.query({ out_trade_no: NUMBER })).data).toMatchObject({ trade_state: "NOTPAY" });
    await harness.sandbox.simulatorControls.pay(NUMBER);
    const paid = await pay.query({ out_trade_no: NUMBER });
    expect(paid.data).toMatchObject({ trade_state: "SUCCESS", amount: { total: 600 } });
    const { transaction_id } = z.looseObject({ transaction_id: z.string() }).parse(paid.data);
    expect((await pay.query({ transaction_id })).data).toEqual(paid.data);
    await pay.transactions_native(order("order-closed"));
    expect((await pay.close("order-closed")).status).toBe(204);
    expect((await pay.query({ out_trade_no: "order-closed" })).data).toMatchObject({ trade_state: "CLOSED" });
    const absent = await pay.query({ out_trade_no: "order-absent" });
    expect([absent.status, absent.error]).toEqual([404, expect.stringContaining("ORDER_NOT_EXIST")]);
    expect(verdicts).toEqual(Array(8).fill(true));
  });

  it("refunds, by either number, and queries the refund", async () => {
    await pay.transactions_native(order());
    await harness.sandbox.simulatorControls.pay(NUMBER);
    const { transaction_id } = z
      .looseObject({ transaction_id: z.string() })
      .parse((await pay.query({ out_trade_no: NUMBER })).data);
    const amount = { refund: 100, total: 600, currency: "CNY" };
    const first = { out_refund_no: "R-1", reason: "returned", notify_url: REFUNDS, amount };
    expect((await pay.refunds({ ...first, out_trade_no: NUMBER })).data).toMatchObject({
      status: "PROCESSING",
    });
    expect((await pay.refunds({ transaction_id, out_refund_no: "R-2", amount })).status).toBe(200);
    const over = { out_refund_no: "R-3", out_trade_no: NUMBER, amount: { ...amount, refund: 401 } };
    const refused = await pay.refunds(over);
    expect([refused.status, refused.error]).toEqual([400, expect.stringContaining("INVALID_REQUEST")]);
    await harness.leap(1_000);
    expect((await pay.find_refunds("R-1")).data).toMatchObject({
      status: "SUCCESS",
      amount: { refund: 100 },
    });
    expect((await pay.find_refunds("R-9")).status).toBe(404);
    expect(verdicts).toEqual(Array(7).fill(true));
  });

  it("downloads the certificates, and bills with correct digests", async () => {
    const { walletSerialNo, apiV3Key } = harness.sandbox.merchant.walletA;
    const certificates = await pay.get_certificates(apiV3Key);
    expect(certificates).toMatchObject([{ serial_no: walletSerialNo }]);
    await pay.transactions_native(order());
    await harness.sandbox.simulatorControls.pay(NUMBER);
    await harness.leap(86_400_000);
    const day = { bill_date: "2026-11-20", tar_type: "GZIP" };
    const bills = [
      await pay.tradebill({ ...day, bill_type: "ALL" }),
      await pay.tradebill({ ...day, bill_type: "SUCCESS" }),
      await pay.fundflowbill({ ...day, account_type: "BASIC" }),
    ];
    for (const result of bills) {
      const bill = z.object({ hash_value: z.string(), download_url: z.string() }).loose().parse(result.data);
      // The client signs the part of the URL after the wallet's official host.
      const url = bill.download_url.replace(harness.sandbox.addresses.walletA, OFFICIAL);
      const file = await pay.downloadBill(url);
      const text = gunzipSync(z.instanceof(Buffer).parse(file.data));
      expect(createHash("sha1").update(text).digest("hex")).toBe(bill.hash_value);
      expect(text.toString()).toContain("6.00");
    }
    expect(verdicts).toEqual([true, true, true, true]);
  });

  it("verifies and decrypts notifications of payments and refunds", async () => {
    await pay.transactions_native(order());
    await harness.sandbox.simulatorControls.pay(NUMBER);
    await harness.control("POST", "/refunds", { walletA: { ends: "ABNORMAL" } });
    const amount = { refund: 100, total: 600, currency: "CNY" };
    await pay.refunds({ out_trade_no: NUMBER, out_refund_no: "R-1", notify_url: REFUNDS, amount });
    await harness.leap(1_000);
    const reported = await Promise.all(
      harness.delivered.map(async ({ headers, body }) => {
        const header = (name: string) => headers[`wechatpay-${name}`] ?? "";
        const signed = { timestamp: header("timestamp"), nonce: header("nonce"), serial: header("serial") };
        expect(await pay.verifySign({ ...signed, body, signature: header("signature") })).toBe(true);
        const changed = body.replace("SUCCESS", "FAILURE").replace("ABNORMAL", "NORMAL");
        expect(await pay.verifySign({ ...signed, body: changed, signature: header("signature") })).toBe(
          false,
        );
        const { ciphertext, associated_data, nonce } = envelope(body).resource;
        const plain: unknown = pay.decipher_gcm(ciphertext, associated_data, nonce);
        return plain;
      }),
    );
    expect(reported).toMatchObject([
      { out_trade_no: NUMBER, trade_state: "SUCCESS" },
      { out_refund_no: "R-1", refund_status: "ABNORMAL" },
    ]);
  });

  it("does not accept an answer with a foreign signature", async () => {
    await harness.control("POST", "/faults", { walletA: { prepay: "bad-signature" } });
    await pay.transactions_native(order());
    expect(verdicts).toEqual([false]);
  });

  it("encrypts fields that only the wallet can decrypt", async () => {
    await pay.transactions_native(order());
    await harness.sandbox.simulatorControls.pay(NUMBER);
    await harness.control("POST", "/refunds", { walletA: { ends: "ABNORMAL" } });
    const amount = { refund: 100, total: 600, currency: "CNY" };
    const { data } = await pay.refunds({ out_trade_no: NUMBER, out_refund_no: "R-1", amount });
    await harness.leap(1_000);
    const { walletSerialNo, apiV3Key } = harness.sandbox.merchant.walletA;
    const [certificate] = await pay.get_certificates(apiV3Key);
    const sealed = (text: string) => pay.publicEncrypt(text, Buffer.from(certificate?.publicKey ?? ""));
    const body = {
      out_refund_no: "R-1",
      type: "USER_BANK_CARD",
      bank_type: "CMB_DEBIT",
      bank_account: sealed("6225880111111111"),
      real_name: sealed("张三"),
    };
    const { refund_id } = z.looseObject({ refund_id: z.string() }).parse(data);
    const target = `/v3/refund/domestic/refunds/${refund_id}/apply-abnormal-refund`;
    const answer = await harness.sendA(
      { method: "POST", target, body: JSON.stringify(body) },
      { headers: { "wechatpay-serial": walletSerialNo } },
    );
    expect(members(answer.text)).toMatchObject({ status: "PROCESSING" });
  });
});
