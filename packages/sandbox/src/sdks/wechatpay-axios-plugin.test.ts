import { createHash } from "node:crypto";
import { gunzipSync } from "node:zlib";
import { testWalletKeys as keys } from "@tillkit/test-keys";
import { beforeEach, describe, expect, it } from "vitest";
import plugin from "wechatpay-axios-plugin";
import { z } from "zod";
import { envelope, members, onlyCertificate } from "../testing/json.js";
import { NUMBER } from "../testing/sandbox-harness.js";
import { openSdkHarness, type SdkHarness } from "../testing/sdk-harness.js";

const OPENID = "oUpF8uMuAJO_M2pxb1Q9zNjWeS6o";

let harness: SdkHarness;
beforeEach(async () => {
  harness = await openSdkHarness();
});

/** Creates the client for the sandbox. It verifies every response with the trusted key. */
function clientOf(trusted: "certificate" | "downloaded key" | "another key" = "certificate") {
  const { mchid, merchantSerialNo, merchantPrivateKey, walletSerialNo, walletPublicKeyId } =
    harness.sandbox.merchant.walletA;
  const certs = {
    certificate: { [walletSerialNo]: keys.walletA.wallet.publicKey },
    "downloaded key": { [walletPublicKeyId]: keys.walletA.downloaded.publicKey },
    "another key": { [walletSerialNo]: keys.retired.publicKey },
  }[trusted];
  const options = { mchid, serial: merchantSerialNo, privateKey: merchantPrivateKey, certs };
  return new plugin.Wechatpay({ ...options, baseURL: harness.sandbox.addresses.walletA });
}

const order = (out_trade_no = NUMBER) => ({
  appid: harness.sandbox.merchant.walletA.appid,
  mchid: harness.sandbox.merchant.walletA.mchid,
  description: "VIP 会员",
  out_trade_no,
  notify_url: "http://127.0.0.1:8787/wallets/WALLET_A",
  amount: { total: 600, currency: "CNY" },
});
const scene = { payer_client_ip: "203.0.113.9", h5_info: { type: "Wap" } };
const mchid = () => ({ params: { mchid: harness.sandbox.merchant.walletA.mchid } });

async function post(target: string, body: object, client = clientOf(), headers = {}) {
  const { status, data }: { readonly status: number; readonly data: unknown } = await client
    .chain(target)
    .post(body, { headers });
  return { status, data };
}

async function get(target: string, config: object = {}, client = clientOf()): Promise<unknown> {
  const { data }: { readonly data: unknown } = await client.chain(target).get(config);
  return data;
}

const encryptedBill = z.object({
  download_bill_count: z.literal(1),
  download_bill_list: z.tuple([
    z.object({
      bill_sequence: z.literal(1),
      hash_type: z.literal("SHA1"),
      hash_value: z.string(),
      download_url: z.url(),
      encrypt_key: z.string(),
      nonce: z.string().length(16),
    }),
  ]),
});

/** Returns the reason why the client or the wallet refused the call. */
async function refusalOf(call: Promise<unknown>) {
  const failure: unknown = await call.then(() => undefined).catch((cause: unknown) => cause);
  const answered = z.object({
    response: z.looseObject({ status: z.number(), data: z.looseObject({ code: z.string() }) }),
  });
  const unsigned = z.looseObject({ code: z.string().startsWith("EV3_RES_") });
  const own = unsigned.safeParse(failure);
  if (own.success) return own.data.code;
  const { status, data } = answered.parse(failure).response;
  return `${status} ${data.code}`;
}

const paid = async () => {
  await post("v3/pay/transactions/native", order());
  await harness.sandbox.simulatorControls.pay(NUMBER);
};
const refund = (changes: object = {}) =>
  post("v3/refund/domestic/refunds", {
    out_trade_no: NUMBER,
    out_refund_no: "R-1",
    notify_url: "http://127.0.0.1:8787/refunds",
    amount: { refund: 100, total: 600, currency: "CNY" },
    ...changes,
  });

describe("wechatpay-axios-plugin at the sandbox, with verification", () => {
  it("prepares orders in every way", async () => {
    const made = [
      await post("v3/pay/transactions/app", order("order-app")),
      await post("v3/pay/transactions/jsapi", { ...order("order-jsapi"), payer: { openid: OPENID } }),
      await post("v3/pay/transactions/native", order("order-native")),
      await post("v3/pay/transactions/h5", { ...order("order-h5"), scene_info: scene }),
    ];
    expect(made.map(({ data }) => Object.keys(z.record(z.string(), z.string()).parse(data)))).toEqual([
      ["prepay_id"],
      ["prepay_id"],
      ["code_url"],
      ["h5_url"],
    ]);
  });

  it("signs payloads that open the payment", async () => {
    const { appid, mchid: partnerid, merchantPrivateKey } = harness.sandbox.merchant.walletA;
    const prepayId = (data: unknown) => z.object({ prepay_id: z.string() }).parse(data).prepay_id;
    const [time, nonce] = [String(plugin.Formatter.timestamp()), plugin.Formatter.nonce()];
    const sign = (...lines: readonly string[]) =>
      plugin.Rsa.sign(plugin.Formatter.joinedByLineFeed(...lines), merchantPrivateKey);
    const app = await post("v3/pay/transactions/app", order("order-app"));
    const prepayid = prepayId(app.data);
    const jsapi = await post("v3/pay/transactions/jsapi", { ...order(), payer: { openid: OPENID } });
    const opener = `prepay_id=${prepayId(jsapi.data)}`;
    const payloads = [
      {
        appid,
        partnerid,
        prepayid,
        noncestr: nonce,
        package: "Sign=WXPay",
        timestamp: Number(time),
        sign: sign(appid, time, nonce, prepayid),
      },
      {
        appId: appid,
        timeStamp: time,
        nonceStr: nonce,
        package: opener,
        signType: "RSA",
        paySign: sign(appid, time, nonce, opener),
      },
    ];
    for (const payload of payloads)
      expect(await harness.control("POST", "/pay", { payload })).toMatchObject({ json: { state: "PAID" } });
  });

  it.each(["certificate", "downloaded key"] as const)(
    "finds an order by both numbers and closes another one, trusting the wallet's %s",
    async (trusted) => {
      const { walletPublicKeyId } = harness.sandbox.merchant.walletA;
      // The header requests responses signed with the downloaded key.
      const headers = trusted === "certificate" ? {} : { "Wechatpay-Serial": walletPublicKeyId };
      const parameters = { ...mchid(), headers };
      await paid();
      const byOurs = await get(`v3/pay/transactions/out-trade-no/${NUMBER}`, parameters, clientOf(trusted));
      const { transaction_id } = z.looseObject({ transaction_id: z.string() }).parse(byOurs);
      expect(byOurs).toMatchObject({ trade_state: "SUCCESS", out_trade_no: NUMBER });
      expect(await get(`v3/pay/transactions/id/${transaction_id}`, parameters, clientOf(trusted))).toEqual(
        byOurs,
      );
      await post("v3/pay/transactions/native", order("order-closed"));
      const close = "v3/pay/transactions/out-trade-no/order-closed/close";
      expect((await post(close, mchid().params, clientOf(trusted), headers)).status).toBe(204);
      const closed = await get("v3/pay/transactions/out-trade-no/order-closed", mchid());
      expect(closed).toMatchObject({ trade_state: "CLOSED" });
      expect(await refusalOf(get("v3/pay/transactions/out-trade-no/order-absent", mchid()))).toBe(
        "404 ORDER_NOT_EXIST",
      );
    },
  );

  it("refunds, queries the refund, and pays out an abnormal refund", async () => {
    await paid();
    await harness.control("POST", "/refunds", { walletA: { ends: "ABNORMAL" } });
    const { data } = await refund();
    const { refund_id } = z.looseObject({ refund_id: z.string() }).parse(data);
    expect(data).toMatchObject({ status: "PROCESSING" });
    expect(await refusalOf(refund({ amount: { refund: 700, total: 600, currency: "CNY" } }))).toBe(
      "400 INVALID_REQUEST",
    );
    await harness.leap(1_000);
    expect(await get("v3/refund/domestic/refunds/R-1")).toMatchObject({ status: "ABNORMAL" });
    const { walletSerialNo } = harness.sandbox.merchant.walletA;
    const sealed = (text: string) => plugin.Rsa.encrypt(text, keys.walletA.wallet.publicKey);
    const body = { out_refund_no: "R-1", type: "USER_BANK_CARD", bank_type: "CMB_DEBIT" };
    const card = { bank_account: sealed("6225880111111111"), real_name: sealed("张三") };
    const target = `v3/refund/domestic/refunds/${refund_id}/apply-abnormal-refund`;
    const headers = { "Wechatpay-Serial": walletSerialNo };
    expect((await post(target, { ...body, ...card }, clientOf(), headers)).data).toMatchObject({
      status: "PROCESSING",
    });
    await harness.leap(1_000);
    expect(await get("v3/refund/domestic/refunds/R-1")).toMatchObject({ status: "SUCCESS" });
    expect(await refusalOf(get("v3/refund/domestic/refunds/R-9"))).toBe("404 RESOURCE_NOT_EXISTS");
  });

  it("is refused if the balance is insufficient, and if it calls too often", async () => {
    await paid();
    await harness.control("POST", "/funds", { walletA: 0 });
    expect(await refusalOf(refund())).toBe("403 NOT_ENOUGH");
    await harness.control("POST", "/refunds", { walletA: { oneAMinute: true } });
    expect(await refusalOf(refund())).toBe("429 FREQUENCY_LIMITED");
  });

  it("downloads the certificate, and bills with correct digests", async () => {
    const { apiV3Key, walletCertificate } = harness.sandbox.merchant.walletA;
    const { encrypt_certificate: sealed } = onlyCertificate(await get("v3/certificates"));
    const { ciphertext, nonce, associated_data } = sealed;
    expect(plugin.Aes.AesGcm.decrypt(ciphertext, apiV3Key, nonce, associated_data)).toBe(walletCertificate);
    await paid();
    await harness.leap(86_400_000);
    const day = { bill_date: "2026-11-20", tar_type: "GZIP" };
    const bills = [
      await get("v3/bill/tradebill", { params: { ...day, bill_type: "ALL" } }),
      await get("v3/bill/fundflowbill", { params: { ...day, account_type: "BASIC" } }),
    ];
    for (const requested of bills) {
      const bill = z.looseObject({ hash_value: z.string(), download_url: z.url() }).parse(requested);
      const { pathname, searchParams: params } = new URL(bill.download_url);
      const file = await get(pathname.slice(1), { params, responseType: "arraybuffer" });
      const text = gunzipSync(z.instanceof(Buffer).parse(file));
      expect(createHash("sha1").update(text).digest("hex")).toBe(bill.hash_value);
      expect(text.toString()).toContain("6.00");
    }
  });

  it("verifies and decrypts notifications", async () => {
    await paid();
    await refund();
    await harness.leap(1_000);
    const reported = harness.delivered.map(({ headers, body }) => {
      const header = (name: string) => headers[`wechatpay-${name}`] ?? "";
      const text = plugin.Formatter.response(header("timestamp"), header("nonce"), body);
      expect(plugin.Rsa.verify(text, header("signature"), keys.walletA.wallet.publicKey)).toBe(true);
      expect(plugin.Rsa.verify(`${text} `, header("signature"), keys.walletA.wallet.publicKey)).toBe(false);
      const { ciphertext, nonce, associated_data } = envelope(body).resource;
      return members(plugin.Aes.AesGcm.decrypt(ciphertext, keys.walletA.apiV3Key, nonce, associated_data));
    });
    expect(reported).toMatchObject([{ trade_state: "SUCCESS" }, { refund_status: "SUCCESS" }]);
  });

  it("rejects a response that is unsigned or signed by another key", async () => {
    const call = () => post("v3/pay/transactions/native", order());
    const client = clientOf("another key");
    expect(await refusalOf(post("v3/pay/transactions/native", order(), client))).toMatch(/^EV3_RES_/);
    for (const prepay of ["bad-signature", "unsigned", "retired-key"]) {
      await harness.control("POST", "/faults", { walletA: { prepay } });
      expect(await refusalOf(call()), prepay).toMatch(/^EV3_RES_/);
    }
  });
});

describe("wechatpay-axios-plugin as a service provider", () => {
  it("pays, queries, refunds and closes for one sub-merchant, and not for another", async () => {
    const [first, second] = harness.sandbox.subMerchants.map(({ WALLET_A }) => WALLET_A);
    if (first === undefined || second === undefined) throw new Error("The sandbox has two sub-merchants.");
    const { appid: sp_appid, mchid: sp_mchid } = harness.sandbox.merchant.walletA;
    const of = (shop: typeof first) => ({ sp_mchid, sub_mchid: shop.accountId });
    const { appid: _app, mchid: _own, ...terms } = order();
    const body = { sp_appid, sub_appid: first.walletAppId, ...of(first), ...terms };
    await post("v3/pay/partner/transactions/native", body);
    await post("v3/pay/partner/transactions/jsapi", {
      ...body,
      out_trade_no: "order-jsapi",
      payer: { sub_openid: OPENID },
    });
    await harness.sandbox.simulatorControls.pay(NUMBER);
    const path = (number: string) => `v3/pay/partner/transactions/out-trade-no/${number}`;
    expect(await get(path(NUMBER), { params: of(first) })).toMatchObject({
      sp_mchid: "1900000109",
      sub_mchid: "1900000201",
      sub_appid: "wxd678efh567hg6801",
      trade_state: "SUCCESS",
    });
    expect(await refusalOf(get(path(NUMBER), { params: of(second) }))).toBe("404 ORDER_NOT_EXIST");
    expect(await refusalOf(get(path(NUMBER), { params: { sp_mchid, sub_mchid: "1900000999" } }))).toBe(
      "403 NO_AUTH",
    );

    expect(await refusalOf(refund({ sub_mchid: second.accountId }))).toBe("404 RESOURCE_NOT_EXISTS");
    expect(await refund({ sub_mchid: first.accountId })).toMatchObject({ status: 200 });
    const refunded = (sub_mchid: string) => get("v3/refund/domestic/refunds/R-1", { params: { sub_mchid } });
    expect(await refunded(first.accountId)).toMatchObject({ out_refund_no: "R-1" });
    expect(await refusalOf(refunded(second.accountId))).toBe("404 RESOURCE_NOT_EXISTS");

    expect(await post(`${path("order-jsapi")}/close`, of(first))).toMatchObject({ status: 204 });

    await harness.leap(86_400_000);
    const day = { bill_date: "2026-11-20", account_type: "BASIC", algorithm: "AEAD_AES_256_GCM" };
    const bill = (sub_mchid: string) =>
      get("v3/bill/sub-merchant-fundflowbill", { params: { ...day, sub_mchid } });
    expect(await refusalOf(bill(second.accountId))).toBe("400 NO_STATEMENT_EXIST");
    expect(await refusalOf(bill("1900000999"))).toBe("403 NO_AUTH");
    const [file] = encryptedBill.parse(await bill(first.accountId)).download_bill_list;
    const { pathname, searchParams: params } = new URL(file.download_url);
    const sealed = z
      .instanceof(Buffer)
      .parse(await get(pathname.slice(1), { params, responseType: "arraybuffer" }));
    const key = plugin.Rsa.decrypt(file.encrypt_key, harness.sandbox.merchant.walletA.merchantPrivateKey);
    const text = plugin.Aes.AesGcm.decrypt(sealed.toString("base64"), key, file.nonce, "");
    expect(createHash("sha1").update(text).digest("hex")).toBe(file.hash_value);
    expect(text).toContain("`交易,`扣除交易手续费,`支出,`0.04");
  });
});
