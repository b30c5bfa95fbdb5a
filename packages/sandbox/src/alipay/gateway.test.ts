import { createSign, createVerify } from "node:crypto";
import { orThrow } from "@tillkit/core";
import { testWalletKeys as keys } from "@tillkit/test-keys";
import { AlipaySdk } from "alipay-sdk";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { openSandbox, type Sandbox } from "../index.js";
import { beijing } from "../testing/beijing.js";
import { nodeIn } from "../testing/json.js";
import { postControl } from "../testing/call-control.js";

let sandbox: Sandbox;
let delivered: string[];
beforeEach(async () => {
  delivered = [];
  sandbox = await openSandbox({
    keys,
    deliver: ({ body }) => {
      delivered.push(body);
      return Promise.resolve({ status: 200, body: "success" });
    },
  });
});
afterEach(() => sandbox.close());

type Form = Record<string, string>;
const like = (pattern: RegExp): unknown => expect.stringMatching(pattern);
const aText: unknown = expect.any(String);
const NUMBER = "01JCXW9Z3K7Q2N5T8V0B4D6F1H";
const content = (changes: object = {}) => ({
  out_trade_no: NUMBER,
  subject: "VIP 会员",
  body: "VIP/会员",
  total_amount: "6.00",
  ...changes,
});

/**
 * Creates a form and signs it independently: all parameters except `sign` and empty ones, sorted.
 */
function form(
  method: string,
  bizContent: unknown,
  changes: Record<string, string | undefined> = {},
  privateKey = keys.walletB.app.privateKey,
): Form {
  const parameters: Record<string, string | undefined> = {
    app_id: "2014072300007148",
    method,
    format: "JSON",
    charset: "utf-8",
    sign_type: "RSA2",
    timestamp: beijing(sandbox.clock.now()),
    version: "1.0",
    notify_url: "http://127.0.0.1:8787/wallets/WALLET_B",
    biz_content: typeof bizContent === "string" ? bizContent : JSON.stringify(bizContent),
    ...changes,
  };
  const given = Object.fromEntries(
    Object.entries(parameters).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  );
  return { ...given, sign: changes["sign"] ?? signed(textOf(given), privateKey) };
}

function textOf(parameters: Form, without: readonly string[] = ["sign"]): string {
  const names = Object.keys(parameters).filter((name) => !without.includes(name) && parameters[name] !== "");
  return names
    .sort()
    .map((name) => `${name}=${parameters[name] ?? ""}`)
    .join("&");
}

function signed(text: string, privateKey: string): string {
  return createSign("RSA-SHA256").update(text).sign(privateKey, "base64");
}

async function post(body: Form | string, query = ""): Promise<string> {
  const response = await fetch(sandbox.addresses.walletB + query, {
    method: "POST",
    headers: { "content-type": "application/x-www-form-urlencoded;charset=utf-8" },
    body: typeof body === "string" ? body : new URLSearchParams(body).toString(),
  });
  expect(response.status).toBe(200);
  return response.text();
}

const call = async (method: string, bizContent: unknown, changes: Record<string, string | undefined> = {}) =>
  nodeIn(await post(form(method, bizContent, changes)));
const QUERY = "alipay.trade.query";
const named = { out_trade_no: NUMBER };

describe("how WALLET_B verifies a request", () => {
  const spoiled: readonly [string, string, Record<string, string | undefined>][] = [
    ["isv.missing-app-id", "error_response", { app_id: undefined }],
    ["isv.invalid-app-id", "error_response", { app_id: "2014072300007149" }],
    ["isv.missing-method", "error_response", { method: undefined }],
    ["isv.invalid-method", "error_response", { method: "alipay.trade.app.pay" }],
    ["isv.missing-signature-type", "alipay_trade_query_response", { sign_type: undefined }],
    ["isv.invalid-signature-type", "alipay_trade_query_response", { sign_type: "RSA" }],
    ["isv.missing-version", "alipay_trade_query_response", { version: undefined }],
    ["isv.invalid-version", "alipay_trade_query_response", { version: "2.0" }],
    ["isv.missing-timestamp", "alipay_trade_query_response", { timestamp: undefined }],
    ["isv.invalid-timestamp", "alipay_trade_query_response", { timestamp: "2026-11-21T20:00:00Z" }],
    ["isv.invalid-timestamp", "alipay_trade_query_response", { timestamp: "2026-13-41 20:00:00" }],
    ["isv.missing-charset", "alipay_trade_query_response", { charset: undefined }],
    ["isv.invalid-charset", "alipay_trade_query_response", { charset: "latin1" }],
    ["isv.invalid-format", "alipay_trade_query_response", { format: "XML" }],
    ["isv.missing-signature", "alipay_trade_query_response", { sign: "" }],
    ["isv.invalid-signature", "alipay_trade_query_response", { sign: "c2lnbg==" }],
    ["isv.invalid-app-cert-sn", "alipay_trade_query_response", { app_cert_sn: "0" }],
    ["isv.invalid-alipay-root-cert-sn", "alipay_trade_query_response", { alipay_root_cert_sn: "0" }],
  ];
  it.each(spoiled)("answers %s", async (subCode, node, changes) => {
    const answer = nodeIn(await post(form(QUERY, named, changes)));
    expect(answer).toMatchObject({
      name: node,
      sub_code: subCode,
      code: subCode.startsWith("isv.missing") ? "40001" : "40002",
    });
  });

  const resigned: readonly [string, (good: Form) => Form][] = [
    ["a stranger's signature", () => form(QUERY, named, {}, keys.retired.privateKey)],
    [
      "a signature without sign_type",
      (good) => ({ ...good, sign: signed(textOf(good, ["sign", "sign_type"]), keys.walletB.app.privateKey) }),
    ],
    ["an additional parameter", (good) => ({ ...good, extra: "1" })],
    ["another content", (good) => ({ ...good, biz_content: '{"out_trade_no":"other"}' })],
    [
      "values that were percent-encoded before signing",
      (good) => ({
        ...good,
        sign: signed(
          textOf({ ...good, biz_content: encodeURIComponent(good["biz_content"] ?? "") }),
          keys.walletB.app.privateKey,
        ),
      }),
    ],
  ];
  it.each(resigned)("rejects %s", async (_what, injectFault) => {
    expect(nodeIn(await post(injectFault(form(QUERY, named))))).toMatchObject({
      sub_code: "isv.invalid-signature",
    });
  });

  it("reads URL and body together, and rejects a parameter in both and an invalid form", async () => {
    const { biz_content = "", ...common } = form(QUERY, named);
    const split = await post({ biz_content }, `?${new URLSearchParams(common).toString()}`);
    expect(nodeIn(split)).toMatchObject({ sub_code: "ACQ.TRADE_NOT_EXIST" });
    for (const body of [`app_id=1&${new URLSearchParams(common).toString()}`, "%zz=1", "nonsense"]) {
      expect(nodeIn(await post(body)), body).toMatchObject({
        name: "error_response",
        sub_code: "isv.invalid-parameter",
      });
    }
  });

  it("answers at no other path", async () => {
    const origin = new URL(sandbox.addresses.walletB).origin;
    expect((await fetch(`${origin}/`)).status).toBe(404);
    expect(
      (
        await fetch(sandbox.addresses.walletB, {
          method: "POST",
          headers: { "content-type": "application/json" },
          body: "{}",
        })
      ).status,
    ).toBe(404);
  });
});

describe("how WALLET_B validates a trade", () => {
  const bad: readonly (readonly [string, object | string])[] = [
    ["biz_content", "[]"],
    ["biz_content", "{"],
    ["out_trade_no", { out_trade_no: undefined }],
    ["out_trade_no", { out_trade_no: "with-hyphen" }],
    ["out_trade_no", { out_trade_no: "a".repeat(65) }],
    ["subject", { subject: undefined }],
    ["subject", { subject: "a/b" }],
    ["subject", { subject: "a=b" }],
    ["subject", { subject: "a&b" }],
    ["subject", { subject: "s".repeat(257) }],
    ["body", { body: "b".repeat(129) }],
    ["total_amount", { total_amount: undefined }],
    ["total_amount", { total_amount: "0.00" }],
    ["total_amount", { total_amount: "6.001" }],
    ["total_amount", { total_amount: "-6.00" }],
    ["total_amount", { total_amount: "100000000.01" }],
    ["time_expire", { time_expire: "2026-11-21T20:00:00+08:00" }],
    ["timeout_express", { timeout_express: "soon" }],
    ["product_code", { product_code: "QUICK_MSECURITY_PAY" }],
    ["seller_id", { seller_id: "2088000000000000" }],
  ];
  it.each(bad)("rejects an invalid %s: %j", async (field, changes) => {
    const answer = await call(
      "alipay.trade.precreate",
      typeof changes === "string" ? changes : content(changes),
    );
    expect(answer).toMatchObject({ code: "40004", sub_code: "ACQ.INVALID_PARAMETER" });
    expect(answer["sub_msg"]).toContain(field);
  });

  it.each(["http://svc.example/notify", "notify", `https://svc.example/${"n".repeat(256)}`])(
    "rejects the notify_url %s",
    async (notify_url) => {
      expect(await call("alipay.trade.precreate", content(), { notify_url })).toMatchObject({
        sub_code: "ACQ.INVALID_PARAMETER",
      });
    },
  );
});

describe("a trade at WALLET_B", () => {
  it("exists after its code is scanned, is paid, refunded in parts, and closed by the last refund", async () => {
    const made = await call("alipay.trade.precreate", content());
    expect(made).toEqual({
      name: "alipay_trade_precreate_response",
      code: "10000",
      msg: "Success",
      out_trade_no: NUMBER,
      qr_code: like(/^https:\/\/qr\.alipay\.com\/\d{24}$/),
    });
    expect(await call(QUERY, named)).toMatchObject({ code: "40004", sub_code: "ACQ.TRADE_NOT_EXIST" });
    expect(await call("alipay.trade.close", named)).toMatchObject({ sub_code: "ACQ.TRADE_NOT_EXIST" });
    orThrow(sandbox.simulatorControls.open({ qr_code: String(made["qr_code"]) }));
    const open = await call(QUERY, named);
    expect(open).toMatchObject({
      code: "10000",
      trade_status: "WAIT_BUYER_PAY",
      total_amount: "6.00",
      receipt_amount: "0.00",
    });
    expect(open).not.toHaveProperty("send_pay_date");
    await sandbox.simulatorControls.pay(NUMBER);
    const paid = await call(QUERY, { trade_no: open["trade_no"], out_trade_no: "the_other_one_wins" });
    expect(paid).toMatchObject({
      out_trade_no: NUMBER,
      trade_status: "TRADE_SUCCESS",
      receipt_amount: "6.00",
    });
    expect(paid["send_pay_date"]).toMatch(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/);
    expect(await call("alipay.trade.close", named)).toMatchObject({ sub_code: "ACQ.TRADE_STATUS_ERROR" });
    expect(await call("alipay.trade.precreate", content())).toMatchObject({
      sub_code: "ACQ.TRADE_HAS_SUCCESS",
    });

    const part = { ...named, refund_amount: "2.00", out_request_no: "R_1" };
    expect(await call("alipay.trade.refund", { ...named, refund_amount: "2.00" })).toMatchObject({
      sub_code: "ACQ.INVALID_PARAMETER",
    });
    expect(await call("alipay.trade.refund", part)).toMatchObject({
      code: "10000",
      fund_change: "Y",
      refund_fee: "2.00",
    });
    expect(await call("alipay.trade.refund", part)).toMatchObject({
      code: "10000",
      fund_change: "N",
      refund_fee: "2.00",
    });
    expect(await call("alipay.trade.refund", { ...part, refund_amount: "2.01" })).toMatchObject({
      sub_code: "ACQ.DISCORDANT_REPEAT_REQUEST",
    });
    expect(
      await call("alipay.trade.refund", { ...part, out_request_no: "R_2", refund_amount: "4.01" }),
    ).toMatchObject({ sub_code: "ACQ.REFUND_AMT_NOT_EQUAL_TOTAL" });
    expect(await call(QUERY, named)).toMatchObject({ trade_status: "TRADE_SUCCESS" });
    const requestBody = { ...named, out_request_no: "R_1" };
    expect(await call("alipay.trade.fastpay.refund.query", requestBody)).toMatchObject({
      refund_status: "REFUND_SUCCESS",
      refund_amount: "2.00",
      total_amount: "6.00",
    });
    expect(
      await call("alipay.trade.fastpay.refund.query", { ...requestBody, out_request_no: "R_9" }),
    ).toEqual({
      name: "alipay_trade_fastpay_refund_query_response",
      code: "10000",
      msg: "Success",
    });
    await call("alipay.trade.refund", { ...part, out_request_no: "R_2", refund_amount: 4 });
    expect(await call(QUERY, named)).toMatchObject({ trade_status: "TRADE_CLOSED" });
    expect(sandbox.simulatorControls.balance("WALLET_B")).toBe(0);
  });

  it("rejects other parameters under its number, and rejects every call after it was closed", async () => {
    await call("alipay.trade.precreate", content());
    orThrow(sandbox.simulatorControls.open(NUMBER));
    expect(await call("alipay.trade.precreate", content({ total_amount: "6.01" }))).toMatchObject({
      sub_code: "ACQ.CONTEXT_INCONSISTENT",
    });
    expect(await call("alipay.trade.close", named)).toMatchObject({ code: "10000", out_trade_no: NUMBER });
    expect(await call("alipay.trade.close", named)).toMatchObject({ sub_code: "ACQ.TRADE_STATUS_ERROR" });
    expect(await call("alipay.trade.refund", { ...named, refund_amount: "6.00" })).toMatchObject({
      sub_code: "ACQ.TRADE_STATUS_ERROR",
    });
    expect(await call("alipay.trade.precreate", content())).toMatchObject({
      sub_code: "ACQ.TRADE_HAS_CLOSE",
    });
    // WALLET_B reports only the payment of a scanned code, not its closing.
    expect(delivered).toEqual([]);
  });

  it("shows its page to a browser with a signed URL, and creates the trade", async () => {
    const address = (parameters: Form) =>
      `${sandbox.addresses.walletB}?${new URLSearchParams(parameters).toString()}`;
    const body = content({ product_code: "QUICK_WAP_WAY", subject: "<b>VIP</b>".replace("/", "") });
    const good = form("alipay.trade.wap.pay", body);
    expect(await (await fetch(address({ ...good, sign: "c2lnbg==" }))).text()).toContain(
      "isv.invalid-signature",
    );
    expect(await call(QUERY, named)).toMatchObject({ sub_code: "ACQ.TRADE_NOT_EXIST" });
    const page = await (await fetch(address(good))).text();
    expect(page).toContain("¥6.00");
    expect(page).not.toContain("<b>VIP");
    expect(await post(good)).toContain("¥6.00");
    expect(await call(QUERY, named)).toMatchObject({ trade_status: "WAIT_BUYER_PAY" });
    await call("alipay.trade.close", named);
    await expect
      .poll(() => nodesOf(delivered))
      .toMatchObject([{ trade_status: "TRADE_CLOSED", out_trade_no: NUMBER, gmt_close: aText }]);
    expect(nodesOf(delivered)[0]).not.toHaveProperty("refund_fee");
  });

  it("sends a notification of each refund, with the state that this refund gave the trade", async () => {
    await call("alipay.trade.precreate", content({ passback_params: "a%26b" }));
    await sandbox.simulatorControls.pay(NUMBER);
    for (const [out_request_no, refund_amount] of [
      ["R_1", "2.00"],
      ["R_2", "4.00"],
    ])
      await call("alipay.trade.refund", { ...named, out_request_no, refund_amount });
    await postControl(sandbox, "/clock", { advanceMs: 1_000 });
    // Two notifications that are sent at once may arrive in either order.
    const refundNo = ({ out_biz_no: number = "" }: Form) => number;
    expect(nodesOf(delivered).toSorted((a, b) => refundNo(a).localeCompare(refundNo(b)))).toMatchObject([
      { trade_status: "TRADE_SUCCESS", passback_params: "a%26b", body: "VIP/会员" },
      { trade_status: "TRADE_SUCCESS", out_biz_no: "R_1", refund_fee: "2.00" },
      { trade_status: "TRADE_CLOSED", out_biz_no: "R_2", refund_fee: "6.00" },
    ]);
  });
});

describe("the signature of WALLET_B's responses", () => {
  it("covers the exact text of the node, with escaped slashes", async () => {
    const text = await post(form("alipay.trade.precreate", content()));
    const [, node = "", sign = ""] =
      /^\{"alipay_trade_precreate_response":(\{.*\}),"sign":"([^"]+)"\}$/.exec(text) ?? [];
    expect(node).toContain("https:\\/\\/qr.alipay.com\\/");
    const proves = (covered: string) =>
      createVerify("RSA-SHA256").update(covered).verify(keys.walletB.wallet.publicKey, sign, "base64");
    expect(proves(node)).toBe(true);
    expect(proves(JSON.stringify(JSON.parse(node)))).toBe(false);
  });

  it("returns the certificate's number to callers that send theirs", async () => {
    const { appCertificate, walletCertificate, rootCertificate } = sandbox.merchant.walletB;
    const { appCertSn, alipayRootCertSn, alipayCertSn } = certified().config;
    expect(
      [appCertificate, walletCertificate, rootCertificate].every((pem) => pem.includes("BEGIN CERTIFICATE")),
    ).toBe(true);
    const text = await post(
      form(QUERY, named, { app_cert_sn: appCertSn, alipay_root_cert_sn: alipayRootCertSn }),
    );
    expect(text).toContain(`,"alipay_cert_sn":"${alipayCertSn}","sign":"`);
    expect(nodeIn(text)).toMatchObject({ sub_code: "ACQ.TRADE_NOT_EXIST" });
    expect(await post(form(QUERY, named))).not.toContain("alipay_cert_sn");
  });
});

const common = () => ({
  appId: sandbox.merchant.walletB.appId,
  privateKey: sandbox.merchant.walletB.appPrivateKey,
  keyType: "PKCS8" as const,
  gateway: sandbox.addresses.walletB,
});
const keyed = () => new AlipaySdk({ ...common(), alipayPublicKey: sandbox.merchant.walletB.walletPublicKey });
const certified = () => {
  const { appCertificate, walletCertificate, rootCertificate } = sandbox.merchant.walletB;
  return new AlipaySdk({
    ...common(),
    appCertContent: appCertificate,
    alipayRootCertContent: rootCertificate,
    alipayPublicCertContent: walletCertificate,
  });
};

describe("WALLET_B with an independent client", () => {
  it.each([
    ["keys", keyed],
    ["certificates", certified],
  ] as const)("accepts its requests and signs responses that it can verify, with %s", async (_mode, open) => {
    const sdk = open();
    const options = { validateSign: true };
    const made: unknown = await sdk.exec(
      "alipay.trade.precreate",
      { bizContent: content(), notifyUrl: "http://127.0.0.1:8787/n" },
      options,
    );
    expect(made).toMatchObject({ code: "10000", outTradeNo: NUMBER });
    await sandbox.simulatorControls.pay(NUMBER);
    const found: unknown = await sdk.exec(QUERY, { bizContent: named }, options);
    expect(found).toMatchObject({ code: "10000", tradeStatus: "TRADE_SUCCESS", totalAmount: "6.00" });
  });

  it("signs an order string that the payload verifier accepts", async () => {
    const orderString = keyed().sdkExecute("alipay.trade.app.pay", {
      bizContent: content({ product_code: "QUICK_MSECURITY_PAY" }),
      notifyUrl: "http://127.0.0.1:8787/n",
    });
    expect(await orThrow(sandbox.simulatorControls.pay({ orderString }))).toMatchObject({
      outTradeNo: NUMBER,
      state: "PAID",
      notified: true,
    });
  });

  it("sends notifications that the client can verify", async () => {
    await call("alipay.trade.precreate", content({ body: "100% 大乐透+2.1" }));
    await sandbox.simulatorControls.pay(NUMBER);
    const [reported = {}] = nodesOf(delivered);
    expect(keyed().checkNotifySignV2(reported)).toBe(true);
    const { sign = "" } = reported;
    // Exactly by the rule for notifications: without `sign_type`.
    expect(keyed().rsaCheck(textOf(reported, ["sign", "sign_type"]), sign)).toBe(true);
    expect(keyed().rsaCheck(textOf(reported), sign)).toBe(false);
  });
});

function nodesOf(bodies: readonly string[]): readonly Form[] {
  return bodies.map((body) => Object.fromEntries(new URLSearchParams(body)));
}
