import { createDecipheriv, createPublicKey, verify, X509Certificate } from "node:crypto";
import { orThrow } from "@tillkit/core";
import { testWalletKeys as keys } from "@tillkit/test-keys";
import plugin from "wechatpay-axios-plugin";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { openSandbox, type Sandbox } from "../index.js";
import { codeIn, envelope, members, onlyCertificate } from "../testing/json.js";
import { walletASender, type ARequest, type WalletARequestChanges } from "../testing/wechat-pay-client.js";
import { postControl } from "../testing/call-control.js";

let sandbox: Sandbox;
let send: ReturnType<typeof walletASender>;
const delivered: { headers: Readonly<Record<string, string>>; body: string }[] = [];
beforeEach(async () => {
  delivered.length = 0;
  sandbox = await openSandbox({
    keys,
    deliver: (delivery) => {
      delivered.push(delivery);
      return Promise.resolve({ status: 204, body: "" });
    },
  });
  send = walletASender(sandbox.addresses.walletA, sandbox.merchant.walletA, () => sandbox.clock.now());
});
afterEach(() => sandbox.close());

const like = (pattern: RegExp): unknown => expect.stringMatching(pattern);
const aText: unknown = expect.any(String);
const NUMBER = "01JCXW9Z3K7Q2N5T8V0B4D6F1H";
const order = (changes: object = {}) => ({
  appid: sandbox.merchant.walletA.appid,
  mchid: sandbox.merchant.walletA.mchid,
  description: "VIP 会员",
  out_trade_no: NUMBER,
  notify_url: "http://127.0.0.1:8787/wallets/WALLET_A",
  amount: { total: 600, currency: "CNY" },
  ...changes,
});
const post = (target: string, body: unknown): ARequest => ({
  method: "POST",
  target,
  body: typeof body === "string" ? body : JSON.stringify(body),
});
const prepay = (changes: object = {}, way = "app") =>
  send(post(`/v3/pay/transactions/${way}`, order(changes)));
const query = (number = NUMBER) =>
  send({ method: "GET", target: `/v3/pay/transactions/out-trade-no/${number}?mchid=1900000109` });
const close = (number = NUMBER) =>
  send(post(`/v3/pay/transactions/out-trade-no/${number}/close`, { mchid: "1900000109" }));
const refund = (changes: object = {}) =>
  send(
    post("/v3/refund/domestic/refunds", {
      out_trade_no: NUMBER,
      out_refund_no: "R-1",
      notify_url: "http://127.0.0.1:8787/wallets/WALLET_A",
      amount: { refund: 100, total: 600, currency: "CNY" },
      ...changes,
    }),
  );
const codeOf = ({ status, text }: { readonly status: number; readonly text: string }) => {
  return `${status} ${codeIn(text)}`;
};

describe("how WALLET_A verifies a request", () => {
  const minute = 60_000;
  const spoilings: readonly [string, string, () => WalletARequestChanges][] = [
    ["another scheme", "authorization", () => ({ scheme: "WECHATPAY2-SM2-WITH-SM3" })],
    ["another merchant", "mchid", () => ({ parts: { mchid: "1900000110" } })],
    ["no merchant", "mchid", () => ({ parts: { mchid: undefined } })],
    ["another certificate", "serial_no", () => ({ parts: { serial_no: "5".repeat(40) } })],
    ["no nonce", "nonce_str", () => ({ parts: { nonce_str: undefined } })],
    ["a long nonce", "nonce_str", () => ({ parts: { nonce_str: "n".repeat(33) } })],
    ["another nonce than was signed", "signature", () => ({ parts: { nonce_str: "other" } })],
    ["no time", "timestamp", () => ({ parts: { timestamp: "now" } })],
    ["a time in the past", "timestamp", () => ({ at: sandbox.clock.now() - 6 * minute })],
    ["a time in the future", "timestamp", () => ({ at: sandbox.clock.now() + 6 * minute })],
    ["a stranger's signature", "signature", () => ({ privateKey: keys.retired.privateKey })],
    ["no signature", "signature", () => ({ parts: { signature: "" } })],
    ["lines without the last line feed", "signature", () => ({ signed: (lines) => lines.slice(0, -1) })],
    ["lines ended by CRLF", "signature", () => ({ signed: (lines) => lines.replaceAll("\n", "\r\n") })],
    ["another path", "signature", () => ({ sent: { target: "/v3/pay/transactions/native" } })],
    [
      "a query that was not signed",
      "signature",
      () => ({ sent: { target: "/v3/pay/transactions/app?x=1" } }),
    ],
    ["another method", "signature", () => ({ sent: { method: "GET" } })],
    [
      "a body that was serialized again",
      "signature",
      () => ({ sent: { body: JSON.stringify(order(), null, 1) } }),
    ],
    [
      "a body with an additional space",
      "signature",
      () => ({ sent: { body: `${JSON.stringify(order())} ` } }),
    ],
  ];
  it.each(spoilings)("rejects %s", async (_what, field, spoiling) => {
    const answer = await send(post("/v3/pay/transactions/app", order()), spoiling());
    expect(codeOf(answer)).toBe("401 SIGN_ERROR");
    expect(members(answer.text)).toMatchObject({ detail: { field, location: "authorization" } });
    expect(sandbox.simulatorControls.order(NUMBER).isErr()).toBe(true);
  });

  it("accepts the parts of Authorization in any order, and rejects a repeated one", async () => {
    const { mchid } = sandbox.merchant.walletA;
    const request = post("/v3/pay/transactions/app", order());
    // Closes the quotes of an unknown part, so that another part follows.
    const last = { other: `x",mchid="${mchid}` };
    expect((await send(request, { parts: { mchid: undefined, ...last } })).status).toBe(200);
    expect(codeOf(await send(request, { parts: last }))).toBe("401 SIGN_ERROR");
  });

  const headers: readonly [string, Readonly<Record<string, string>>][] = [
    ["Accept", { accept: "text/html" }],
    ["Content-Type", { "content-type": "text/plain" }],
    ["User-Agent", { "user-agent": "" }],
    ["Wechatpay-Serial", { "wechatpay-serial": "PUB_KEY_ID_0100000000000000000000000000000000" }],
  ];
  it.each(headers)("rejects an invalid header %s", async (field, changed) => {
    const answer = await send(post("/v3/pay/transactions/app", order()), { headers: changed });
    expect(codeOf(answer)).toBe("400 PARAM_ERROR");
    expect(members(answer.text)).toMatchObject({ detail: { field, location: "header" } });
  });
});

describe("how WALLET_A validates an order", () => {
  const bad: readonly [string, object | string, string?][] = [
    ["", "[]"],
    ["", "{"],
    ["", '{"a":"\ud83d\ude00"}'],
    ["/appid", { appid: undefined }],
    ["/mchid", { mchid: undefined }],
    ["/mchid", { mchid: "1900000110" }],
    ["/description", { description: "" }],
    ["/description", { description: "会".repeat(43) }],
    ["/description", { description: 7 }],
    ["/attach", { attach: null }],
    ["/attach", { attach: "a".repeat(129) }],
    ["/attach", { attach: "附".repeat(43) }],
    ["/out_trade_no", { out_trade_no: "short" }],
    ["/out_trade_no", { out_trade_no: "a".repeat(33) }],
    ["/out_trade_no", { out_trade_no: "with space" }],
    ["/time_expire", { time_expire: "2026-11-20 20:30:00" }],
    ["/notify_url", { notify_url: "http://svc.example/notify" }],
    ["/notify_url", { notify_url: "https://svc.example/notify?order=1" }],
    ["/notify_url", { notify_url: `https://svc.example/${"n".repeat(255)}` }],
    ["/notify_url", { notify_url: "notify" }],
    ["/amount", { amount: undefined }],
    ["/amount/total", { amount: { total: 0 } }],
    ["/amount/total", { amount: { total: 1.5 } }],
    ["/amount/total", { amount: { total: "600" } }],
    ["/amount/currency", { amount: { total: 600, currency: "USD" } }],
    ["/scene_info", {}, "h5"],
    ["/scene_info/h5_info", { scene_info: { payer_client_ip: "10.0.0.1" } }, "h5"],
    [
      "/scene_info/h5_info/type",
      { scene_info: { payer_client_ip: "10.0.0.1", h5_info: { type: "web" } } },
      "h5",
    ],
    ["/scene_info/payer_client_ip", { scene_info: {} }],
  ];
  it.each(bad)("rejects %s: %j", async (field, changes, way = "app") => {
    const body = typeof changes === "string" ? changes : JSON.stringify(order(changes));
    const answer = await send(post(`/v3/pay/transactions/${way}`, body));
    expect(codeOf(answer)).toBe("400 PARAM_ERROR");
    expect(members(answer.text)).toMatchObject({ detail: { field, location: "body" } });
  });

  it("rejects an app that is not the merchant's, an unknown path and an unknown method", async () => {
    expect(codeOf(await prepay({ appid: "wx0000000000000000" }))).toBe("400 APPID_MCHID_NOT_MATCH");
    expect(codeOf(await send(post("/v3/pay/transactions/codepay", order())))).toBe("404 NOT_FOUND");
    expect(codeOf(await send({ method: "GET", target: "/v3/pay/transactions/app" }))).toBe("404 NOT_FOUND");
  });

  it("returns what each way of paying needs", async () => {
    const scene_info = { payer_client_ip: "10.0.0.1", h5_info: { type: "Wap" } };
    expect(members((await prepay({ out_trade_no: "order-app" })).text)).toEqual({
      prepay_id: like(/^wx\d{24}$/),
    });
    expect(members((await prepay({ out_trade_no: "order-native" }, "native")).text)).toEqual({
      code_url: like(/^weixin:\/\/wxpay\/bizpayurl\?pr=\d{24}$/),
    });
    expect(members((await prepay({ out_trade_no: "order-h5", scene_info }, "h5")).text)).toEqual({
      h5_url: like(
        /^https:\/\/wx\.tenpay\.com\/cgi-bin\/mmpayweb-bin\/checkmweb\?prepay_id=wx\d{24}&package=\d{24}$/,
      ),
    });
  });

  it("returns the same order again, and rejects other parameters under its number", async () => {
    await prepay({ time_expire: "2099-11-20T20:30:00+08:00" });
    const again = JSON.stringify(
      Object.fromEntries(Object.entries(order({ time_expire: "2099-11-20T20:30:00+08:00" })).reverse()),
    );
    expect((await send(post("/v3/pay/transactions/app", again))).status).toBe(200);
    const changes = [
      { amount: { total: 601, currency: "CNY" } },
      { description: "other" },
      { attach: "a" },
      { notify_url: "http://127.0.0.1/other" },
      { time_expire: "2099-11-20T20:30:01+08:00" },
      { time_expire: undefined },
    ];
    for (const changed of changes) {
      const answer = await prepay({ time_expire: "2099-11-20T20:30:00+08:00", ...changed });
      expect(codeOf(answer), JSON.stringify(changed)).toBe("403 OUT_TRADE_NO_USED");
    }
    expect(codeOf(await prepay({ time_expire: "2099-11-20T20:30:00+08:00" }, "native"))).toBe(
      "403 OUT_TRADE_NO_USED",
    );
    expect(orThrow(sandbox.simulatorControls.order(NUMBER))).toMatchObject({
      amount: 600,
      prepayCount: 2,
    });
  });

  it("returns in either spelling why an order can no longer be paid", async () => {
    expect(codeOf(await query())).toBe("404 ORDER_NOT_EXIST");
    expect(codeOf(await close())).toBe("404 ORDER_NOT_EXIST");
    await prepay();
    await close();
    expect(codeOf(await prepay())).toBe("400 ORDER_CLOSED");
    await postControl(sandbox, "/faults", { walletA: { codes: "old" } });
    expect(codeOf(await prepay())).toBe("400 ORDERCLOSED");
    expect(codeOf(await query("unknown-number"))).toBe("404 ORDERNOTEXIST");
    expect(codeOf(await send({ method: "GET", target: `/v3/pay/transactions/out-trade-no/${NUMBER}` }))).toBe(
      "400 PARAM_ERROR",
    );
  });
});

describe("an order at WALLET_A", () => {
  it("is open, paid and refunded, in its responses and notifications", async () => {
    await prepay({ attach: "attached" });
    const open = members((await query()).text);
    expect(open).toEqual({
      mchid: "1900000109",
      appid: "wxd678efh567hg6787",
      out_trade_no: NUMBER,
      trade_type: "APP",
      trade_state: "NOTPAY",
      trade_state_desc: "订单未支付",
      attach: "attached",
      amount: { total: 600, currency: "CNY" },
    });
    await sandbox.simulatorControls.pay(NUMBER);
    const paid = members((await query()).text);
    expect(paid).toMatchObject({
      trade_state: "SUCCESS",
      transaction_id: like(/^\d{28}$/),
      success_time: like(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\+08:00$/),
      attach: "attached",
      amount: { total: 600, payer_total: 600, currency: "CNY", payer_currency: "CNY" },
    });
    expect(opened(delivered[0]!)).toEqual({ about: "TRANSACTION.SUCCESS", resource: paid });
    expect(codeOf(await prepay({ attach: "attached" }))).toBe("400 ORDERPAID");
    expect(codeOf(await close())).toBe("400 ORDERPAID");

    const result = await refund();
    expect(members(result.text)).toMatchObject({
      out_refund_no: "R-1",
      status: "PROCESSING",
      amount: { refund: 100, total: 600 },
    });
    // A partial refund already gives the state REFUND.
    expect(members((await query()).text)).toMatchObject({ trade_state: "REFUND" });
    await advance(179_000);
    const target = "/v3/refund/domestic/refunds/R-1";
    expect(members((await send({ method: "GET", target })).text)).toMatchObject({ status: "PROCESSING" });
    expect(delivered).toHaveLength(1);
    await advance(1_000);
    expect(members((await send({ method: "GET", target })).text)).toMatchObject({ status: "SUCCESS" });
    expect(opened(delivered[1]!)).toMatchObject({
      about: "REFUND.SUCCESS",
      resource: {
        out_refund_no: "R-1",
        refund_status: "SUCCESS",
        mchid: "1900000109",
        amount: { refund: 100 },
      },
    });
  });

  it("refunds each number once, and never more than the order's amount", async () => {
    await prepay();
    expect(codeOf(await refund())).toBe("400 INVALID_REQUEST");
    await sandbox.simulatorControls.pay(NUMBER);
    const first = members((await refund()).text);
    expect(members((await refund()).text)).toMatchObject({ refund_id: first["refund_id"] });
    expect(codeOf(await refund({ amount: { refund: 101, total: 600, currency: "CNY" } }))).toBe(
      "400 INVALID_REQUEST",
    );
    const rest = { out_refund_no: "R-2", amount: { refund: 501, total: 600, currency: "CNY" } };
    expect(codeOf(await refund(rest))).toBe("400 INVALID_REQUEST");
    expect(
      codeOf(await refund({ out_refund_no: "R-2", amount: { refund: 1, total: 599, currency: "CNY" } })),
    ).toBe("400 INVALID_REQUEST");
    expect(codeOf(await refund({ out_refund_no: "R-2", out_trade_no: "no-such-order" }))).toBe(
      "404 RESOURCE_NOT_EXISTS",
    );
    expect(codeOf(await send({ method: "GET", target: "/v3/refund/domestic/refunds/R-2" }))).toBe(
      "404 RESOURCE_NOT_EXISTS",
    );
    expect(sandbox.simulatorControls.balance("WALLET_A")).toBe(500);
  });

  it.each([
    ["/out_refund_no", { out_refund_no: "with space" }],
    ["/out_trade_no", { out_trade_no: undefined }],
    ["/reason", { reason: "r".repeat(81) }],
    ["/reason", { reason: "退".repeat(27) }],
    ["/amount/refund", { amount: { refund: 0, total: 600, currency: "CNY" } }],
    ["/amount/currency", { amount: { refund: 1, total: 600 } }],
    ["/notify_url", { notify_url: "ftp://svc.example" }],
  ])("rejects a refund with an invalid %s", async (field, changes) => {
    await prepay();
    await sandbox.simulatorControls.pay(NUMBER);
    const answer = await refund(changes);
    expect(codeOf(answer)).toBe("400 PARAM_ERROR");
    expect(members(answer.text)).toMatchObject({ detail: { field } });
  });
});

describe("the signature of WALLET_A's responses", () => {
  it("covers errors and empty responses too, with the certificate or the downloaded key as requested", async () => {
    const { walletPublicKeyId, walletSerialNo } = sandbox.merchant.walletA;
    await prepay();
    const answers = [await query(), await query("unknown-number"), await close()];
    expect(answers.map(({ status }) => status)).toEqual([200, 404, 204]);
    for (const answer of answers) expect(signer(answer)).toBe(walletSerialNo);
    const result = await send(
      { method: "GET", target: `/v3/pay/transactions/out-trade-no/${NUMBER}?mchid=1900000109` },
      { headers: { "wechatpay-serial": walletPublicKeyId } },
    );
    expect(signer(result)).toBe(walletPublicKeyId);
  });

  it("uses the downloaded key also for notifications if the sandbox is configured so", async () => {
    const other = await openSandbox({
      keys,
      walletASigning: "public-key",
      deliver: async (delivery) => {
        delivered.push(delivery);
        return { status: 204, body: "" };
      },
    });
    try {
      const sender = walletASender(other.addresses.walletA, other.merchant.walletA, () => other.clock.now());
      expect(signer(await sender(post("/v3/pay/transactions/app", order())))).toBe(
        other.merchant.walletA.walletPublicKeyId,
      );
      await other.simulatorControls.pay(NUMBER);
      const { headers, body } = delivered[0]!;
      expect(signer({ headers: new Headers(headers), text: body })).toBe(
        other.merchant.walletA.walletPublicKeyId,
      );
    } finally {
      await other.close();
    }
  });
});

describe("WALLET_A with an independent client", () => {
  const trusted = () => {
    const { walletPublicKeys } = sandbox.keys.walletA;
    return walletPublicKeys;
  };
  const client = (certs = trusted()) =>
    new plugin.Wechatpay({
      mchid: sandbox.merchant.walletA.mchid,
      serial: sandbox.merchant.walletA.merchantSerialNo,
      privateKey: sandbox.merchant.walletA.merchantPrivateKey,
      certs,
      baseURL: sandbox.addresses.walletA,
    });

  it("accepts the client's requests, and signs responses that the client can verify", async () => {
    const { data } = await client().chain("v3/pay/transactions/app").post(order());
    expect(data).toEqual({ prepay_id: aText });
    const target = `v3/pay/transactions/out-trade-no/${NUMBER}`;
    const { status } = await client().chain(`${target}/close`).post({ mchid: "1900000109" });
    expect(status).toBe(204);
    const closed = await client()
      .chain(target)
      .get({ params: { mchid: "1900000109" } });
    expect(closed.data).toMatchObject({ trade_state: "CLOSED" });
  });

  it("fails verification in a client that trusts another key", async () => {
    const wrong = { [sandbox.merchant.walletA.walletSerialNo]: keys.retired.publicKey };
    await expect(client(wrong).chain("v3/pay/transactions/app").post(order())).rejects.toMatchObject({
      code: "EV3_RES_HEADER_SIGNATURE_DIGEST",
    });
  });

  it("returns its encrypted certificate, which contains its signing key", async () => {
    const { data }: { readonly data: unknown } = await client().chain("v3/certificates").get();
    const { serial_no, encrypt_certificate } = onlyCertificate(data);
    const { ciphertext, nonce, associated_data } = encrypt_certificate;
    const pem = plugin.Aes.AesGcm.decrypt(
      ciphertext,
      sandbox.merchant.walletA.apiV3Key,
      nonce,
      associated_data,
    );
    const certificate = new X509Certificate(pem);
    expect(certificate.serialNumber).toBe(serial_no);
    expect(certificate.publicKey.equals(createPublicKey(keys.walletA.wallet.publicKey))).toBe(true);
    expect(certificate.verify(certificate.publicKey)).toBe(true);
  });

  it("sends notifications that the client can verify and decrypt", async () => {
    await prepay();
    await sandbox.simulatorControls.pay(NUMBER);
    const { headers, body } = delivered[0]!;
    const text = plugin.Formatter.response(
      headers["wechatpay-timestamp"]!,
      headers["wechatpay-nonce"]!,
      body,
    );
    expect(plugin.Rsa.verify(text, headers["wechatpay-signature"]!, keys.walletA.wallet.publicKey)).toBe(
      true,
    );
    const { resource } = envelope(body);
    const plain = plugin.Aes.AesGcm.decrypt(
      resource.ciphertext,
      keys.walletA.apiV3Key,
      resource.nonce,
      resource.associated_data,
    );
    expect(members(plain)).toMatchObject({ out_trade_no: NUMBER, trade_state: "SUCCESS" });
  });
});

async function advance(advanceMs: number): Promise<void> {
  await postControl(sandbox, "/clock", { advanceMs });
}

/** Returns the number of the signing key. Throws if the signature is invalid. */
function signer({ headers, text }: { readonly headers: Headers; readonly text: string }): string {
  const part = (name: string) => headers.get(`wechatpay-${name}`) ?? "";
  const key = sandbox.keys.walletA.walletPublicKeys[part("serial")] ?? "";
  const lines = `${part("timestamp")}\n${part("nonce")}\n${text}\n`;
  if (!verify("RSA-SHA256", Buffer.from(lines), key, Buffer.from(part("signature"), "base64")))
    throw new Error("not proven");
  return part("serial");
}

function opened({ body }: { readonly body: string }): {
  readonly about: unknown;
  readonly resource: unknown;
} {
  const { event_type, resource } = envelope(body);
  const sealed = Buffer.from(resource.ciphertext, "base64");
  const decipher = createDecipheriv("aes-256-gcm", keys.walletA.apiV3Key, resource.nonce);
  decipher.setAAD(Buffer.from(resource.associated_data));
  decipher.setAuthTag(sealed.subarray(-16));
  const text = Buffer.concat([decipher.update(sealed.subarray(0, -16)), decipher.final()]).toString("utf8");
  return { about: event_type, resource: members(text) };
}
