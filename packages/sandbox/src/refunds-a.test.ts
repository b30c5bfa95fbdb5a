import { constants, publicEncrypt } from "node:crypto";
import { gunzipSync } from "node:zlib";
import { orThrow } from "@tillkit/core";
import { testWalletKeys as keys } from "@tillkit/test-keys";
import { beforeEach, describe, expect, it } from "vitest";
import { codeIn, envelope, members } from "./testing/json.js";
import { decryptWalletA } from "./testing/notifications.js";
import { NUMBER, openHarness, orderA, type SandboxHarness } from "./testing/sandbox-harness.js";
import { authorizationOf } from "./testing/wechat-pay-client.js";

const DAY = 86_400_000;
const MINUTE = 60_000;

let harness: SandboxHarness;
beforeEach(async () => {
  harness = await openHarness();
});

async function pay(number = NUMBER): Promise<void> {
  await harness.callA("/v3/pay/transactions/app", orderA(harness, { out_trade_no: number }));
  await orThrow(harness.sandbox.simulatorControls.pay(number));
}

/** Requests a refund of one yuan. Returns the HTTP status with the code or the refund's status. */
async function refund(number = "R-1", changes: object = {}): Promise<string> {
  const { status, text } = await harness.callA("/v3/refund/domestic/refunds", {
    out_trade_no: NUMBER,
    out_refund_no: number,
    notify_url: "http://127.0.0.1:8787/refunds",
    amount: { refund: 100, total: 600, currency: "CNY" },
    ...changes,
  });
  return `${status} ${status === 200 ? String(members(text)["status"]) : codeIn(text)}`;
}

async function stated(number = "R-1") {
  return members((await harness.callA(`/v3/refund/domestic/refunds/${number}`)).text);
}

/** Returns the refund events that the wallet reported, with their contents. */
function reported() {
  return harness.delivered
    .filter(({ url }) => url.endsWith("/refunds"))
    .map((delivery) => ({ event: envelope(delivery.body).event_type, ...decryptWalletA(delivery) }));
}

const rules = (walletA: object) => harness.control("POST", "/refunds", { walletA });

describe("a refund at WeChat Pay", () => {
  it("is in progress for the days that the control interface sets, and then done", async () => {
    await pay();
    expect(await rules({ takes: 5 * DAY })).toMatchObject({
      status: 200,
      json: { walletA: { takes: 5 * DAY, ends: "SUCCESS", oneAMinute: false } },
    });
    expect(await refund()).toBe("200 PROCESSING");
    await harness.advance(5 * DAY - 1);
    expect(await stated()).toMatchObject({ status: "PROCESSING" });
    expect(await stated()).not.toHaveProperty("success_time");
    expect(await refund()).toBe("200 PROCESSING");
    expect(reported()).toEqual([]);
    await harness.advance(1);
    expect(await stated()).toMatchObject({ status: "SUCCESS", success_time: "2026-11-25T12:00:00+08:00" });
    expect(reported()).toMatchObject([
      { event: "REFUND.SUCCESS", refund_status: "SUCCESS", success_time: "2026-11-25T12:00:00+08:00" },
    ]);
  });

  it("is in progress until a control call ends it", async () => {
    await pay();
    await rules({ takes: null });
    await refund();
    await harness.advance(300 * DAY);
    expect(await stated()).toMatchObject({ status: "PROCESSING" });
    expect(await harness.control("GET", "/refunds/R-1")).toMatchObject({
      status: 200,
      json: { refundNo: "R-1", outTradeNo: NUMBER, payChannel: "WALLET_A", amount: 100, state: "PROCESSING" },
    });
    expect(await harness.control("POST", "/refunds/R-1", { state: "SUCCESS" })).toMatchObject({
      status: 200,
      json: { state: "SUCCESS" },
    });
    expect(reported()).toMatchObject([{ event: "REFUND.SUCCESS" }]);
    expect(await harness.control("POST", "/refunds/R-1", { state: "CLOSED" })).toMatchObject({ status: 409 });
  });

  it("can be held in progress, and ends later with another outcome", async () => {
    await pay();
    await refund();
    expect(await harness.control("POST", "/refunds/R-1", { state: "PROCESSING" })).toMatchObject({
      json: { state: "PROCESSING" },
    });
    await harness.advance(DAY);
    expect(await stated()).toMatchObject({ status: "PROCESSING" });
    expect(reported()).toEqual([]);
    await harness.control("POST", "/refunds/R-1", { state: "ABNORMAL" });
    await harness.control("POST", "/refunds/R-1", { state: "SUCCESS" });
    expect(reported()).toMatchObject([{ event: "REFUND.ABNORMAL" }, { event: "REFUND.SUCCESS" }]);
  });

  it("that is closed is reported as closed, and returns its money to the merchant", async () => {
    await pay();
    await rules({ ends: "CLOSED" });
    await refund("R-1", { amount: { refund: 600, total: 600, currency: "CNY" } });
    expect(harness.sandbox.simulatorControls.balance("WALLET_A")).toBe(0);
    expect(orThrow(harness.sandbox.simulatorControls.order(NUMBER))).toMatchObject({
      state: "REFUNDED",
    });
    await harness.advance(1_000);
    expect(await stated()).toMatchObject({ status: "CLOSED" });
    expect(reported()).toMatchObject([{ event: "REFUND.CLOSED", refund_status: "CLOSED" }]);
    expect(reported()[0]).not.toHaveProperty("success_time");
    expect(harness.sandbox.simulatorControls.balance("WALLET_A")).toBe(600);
    expect(orThrow(harness.sandbox.simulatorControls.order(NUMBER))).toMatchObject({ state: "PAID" });
    // The number stays closed. Another number can refund the order.
    expect(await refund("R-1", { amount: { refund: 600, total: 600, currency: "CNY" } })).toBe("200 CLOSED");
    expect(await refund("R-2")).toBe("200 PROCESSING");
  });

  it("is not found by an unused number, nor by the wallet's own number", async () => {
    await pay();
    await refund();
    const own = String((await stated())["refund_id"]);
    for (const number of ["R-9", own]) {
      const { status, text } = await harness.callA(`/v3/refund/domestic/refunds/${number}`);
      expect(`${status} ${codeIn(text)}`).toBe("404 RESOURCE_NOT_EXISTS");
    }
  });

  it("has at most fifty parts", async () => {
    await pay();
    const part = { amount: { refund: 1, total: 600, currency: "CNY" } };
    for (let count = 1; count <= 50; count += 1) expect(await refund(`P-${count}`, part)).toMatch(/^200/);
    expect(await refund("P-51", part)).toBe("400 INVALID_REQUEST");
    expect(await refund("P-50", part)).toMatch(/^200/);
    expect(harness.sandbox.simulatorControls.balance("WALLET_A")).toBe(550);
  });

  it("is accepted within a year of the payment", async () => {
    await pay();
    await harness.advance(365 * DAY);
    expect(await refund()).toMatch(/^200/);
    await harness.advance(1);
    expect(await refund("R-2")).toBe("400 INVALID_REQUEST");
  });

  it("is accepted only a minute after the last call for the order, even a refused one, if the rule is on", async () => {
    await pay();
    await pay("01JCXW9Z3K7Q2N5T8V0B4D6F1J");
    expect([await refund(), await refund(), await refund("R-2")]).toEqual(Array(3).fill("200 PROCESSING"));
    await rules({ oneAMinute: true });
    expect(await refund("R-3")).toBe("429 FREQUENCY_LIMITED");
    expect(await refund("R-4", { out_trade_no: "01JCXW9Z3K7Q2N5T8V0B4D6F1J" })).toBe("200 PROCESSING");
    await harness.advance(MINUTE - 1);
    expect(await refund("R-3")).toBe("429 FREQUENCY_LIMITED");
    await harness.advance(MINUTE - 1);
    expect(await refund("R-3")).toBe("429 FREQUENCY_LIMITED");
    await harness.advance(MINUTE);
    expect(await refund("R-3")).toBe("200 PROCESSING");
    // Queries are not limited.
    expect(await stated("R-3")).toMatchObject({ status: "PROCESSING" });
  });
});

describe("the bill of a day with refunds", () => {
  it("lists the refunds that are not closed, with their states", async () => {
    await pay();
    for (const [number, ends] of [
      ["R-1", "SUCCESS"],
      ["R-2", "ABNORMAL"],
      ["R-3", "CLOSED"],
    ] as const) {
      await rules({ ends });
      await refund(number);
    }
    await rules({ takes: 5 * DAY });
    await refund("R-4");
    await harness.advance(DAY);
    const result = await harness.callA("/v3/bill/tradebill?bill_date=2026-11-20&bill_type=ALL&tar_type=GZIP");
    const { pathname, search } = new URL(String(members(result.text)["download_url"]));
    const { merchant, addresses, clock } = harness.sandbox;
    const authorization = authorizationOf(merchant.walletA, "GET", pathname + search, clock.now());
    const file = await fetch(addresses.walletA + pathname + search, { headers: { authorization } });
    const text = gunzipSync(Buffer.from(await file.arrayBuffer())).toString();
    const states = ["R-1", "R-2", "R-3", "R-4"].map((number) => text.split(`${number},`)[1]?.split(",`")[3]);
    expect(states).toEqual(["SUCCESS", "CHANGE", undefined, "PROCESSING"]);
  });
});

describe("the merchant's balance at WeChat Pay", () => {
  it("becomes insufficient, is topped up, and grows with payments", async () => {
    await pay();
    expect(await harness.control("GET", "/funds")).toMatchObject({ json: { walletA: null, walletB: null } });
    await harness.control("POST", "/funds", { walletA: 99 });
    expect(await refund()).toBe("403 NOT_ENOUGH");
    expect((await harness.callA("/v3/refund/domestic/refunds/R-1")).status).toBe(404);
    expect(await harness.control("POST", "/funds/top-up", { walletA: 1 })).toMatchObject({
      json: { walletA: 100, walletB: null },
    });
    expect(await refund()).toBe("200 PROCESSING");
    expect(await refund("R-2")).toBe("403 NOT_ENOUGH");
    await pay("01JCXW9Z3K7Q2N5T8V0B4D6F1J");
    expect(await harness.control("GET", "/funds")).toMatchObject({ json: { walletA: 600 } });
    expect(await refund("R-2")).toBe("200 PROCESSING");
    await harness.control("POST", "/refunds/R-2", { state: "CLOSED" });
    expect(await harness.control("GET", "/funds")).toMatchObject({ json: { walletA: 600 } });
    await harness.control("POST", "/funds", { walletA: 0 });
    expect(await refund("R-3")).toBe("403 NOT_ENOUGH");
    await harness.control("POST", "/funds", { walletA: null });
    expect(await refund("R-3")).toBe("200 PROCESSING");
  });
});

describe("an abnormal refund at WeChat Pay", () => {
  const [CARD, NAME] = ["6225880111111111", "张三"];
  const sealed = (text: string, publicKey = keys.walletA.wallet.publicKey) => {
    const padding = constants.RSA_PKCS1_OAEP_PADDING;
    const options = { key: publicKey, padding, oaepHash: "sha1" };
    return publicEncrypt(options, Buffer.from(text)).toString("base64");
  };
  const toCard = (changes: object = {}) => ({
    out_refund_no: "R-1",
    type: "USER_BANK_CARD",
    bank_type: "CMB_DEBIT",
    bank_account: sealed(CARD),
    real_name: sealed(NAME),
    ...changes,
  });

  async function apply(body: object, serial?: string, refundId?: string): Promise<string> {
    const id = refundId ?? String((await stated())["refund_id"]);
    const target = `/v3/refund/domestic/refunds/${id}/apply-abnormal-refund`;
    const headers = serial === undefined ? {} : { headers: { "wechatpay-serial": serial } };
    const answer = await harness.sendA({ method: "POST", target, body: JSON.stringify(body) }, headers);
    return `${answer.status} ${answer.status === 200 ? String(members(answer.text)["status"]) : codeIn(answer.text)}`;
  }

  beforeEach(async () => {
    await pay();
    await rules({ ends: "ABNORMAL" });
    await refund();
    await harness.advance(1_000);
  });

  it("is reported, and its money belongs neither to the merchant nor to the customer", async () => {
    expect(await stated()).toMatchObject({ status: "ABNORMAL" });
    expect(await refund()).toBe("200 ABNORMAL");
    expect(reported()).toMatchObject([{ event: "REFUND.ABNORMAL", refund_status: "ABNORMAL" }]);
    expect(reported()[0]).not.toHaveProperty("success_time");
    expect(harness.sandbox.simulatorControls.balance("WALLET_A")).toBe(500);
  });

  it.each(["certificate", "downloaded key"])(
    "is paid to the customer's card, encrypted for the wallet's %s, and is then done",
    async (which) => {
      const { walletSerialNo, walletPublicKeyId } = harness.sandbox.merchant.walletA;
      const [serial, key] =
        which === "certificate"
          ? [walletSerialNo, keys.walletA.wallet.publicKey]
          : [walletPublicKeyId, keys.walletA.downloaded.publicKey];
      const body = toCard({ bank_account: sealed(CARD, key), real_name: sealed(NAME, key) });
      expect(await apply(body, serial)).toBe("200 PROCESSING");
      expect(await apply(body, serial)).toBe("400 INVALID_REQUEST");
      await harness.advance(1_000);
      expect(await stated()).toMatchObject({
        status: "SUCCESS",
        success_time: "2026-11-20T12:00:02+08:00",
      });
      expect(reported()).toMatchObject([{ event: "REFUND.ABNORMAL" }, { event: "REFUND.SUCCESS" }]);
      const ids = harness.delivered.slice(1).map(({ body: text }) => envelope(text).id);
      expect(new Set(ids).size).toBe(2);
    },
  );

  it("is decrypted with the key of a replaced certificate, and of the new one", async () => {
    const { json } = await harness.control("POST", "/rotate-keys", { wallet: "A" });
    const serial = String(json["certificate"]);
    const { walletSerialNo } = harness.sandbox.merchant.walletA;
    expect(await apply(toCard(), serial)).toBe("400 PARAM_ERROR");
    const renewed = harness.sandbox.keys.walletA.walletPublicKeys[serial] ?? "";
    const body = toCard({ bank_account: sealed(CARD, renewed), real_name: sealed(NAME, renewed) });
    expect(await apply(body, walletSerialNo)).toBe("400 PARAM_ERROR");
    expect(await apply(toCard(), walletSerialNo)).toBe("200 PROCESSING");
    await harness.control("POST", "/refunds/R-1", { state: "ABNORMAL" });
    expect(await apply(body, serial)).toBe("200 PROCESSING");
  });

  it("is paid to the merchant's account without a card", async () => {
    expect(await apply({ out_refund_no: "R-1", type: "MERCHANT_BANK_CARD" })).toBe("200 PROCESSING");
    await harness.advance(1_000);
    expect(await stated()).toMatchObject({ status: "SUCCESS" });
  });

  const faulty: Readonly<Record<string, () => object>> = {
    "a card without its bank": () => toCard({ bank_type: undefined }),
    "a card without its number": () => toCard({ bank_account: undefined }),
    "a card without a name": () => toCard({ real_name: undefined }),
    "another way": () => toCard({ type: "CASH" }),
    "an additional member": () => toCard({ account: "1900000109" }),
    "an unencrypted number": () => toCard({ bank_account: CARD }),
    "a name encrypted with another key": () => toCard({ real_name: sealed(NAME, keys.retired.publicKey) }),
    "an invalid card number": () => toCard({ bank_account: sealed("my card") }),
    "the number of another refund": () => toCard({ out_refund_no: "R-2" }),
  };
  it.each(Object.entries(faulty))("is rejected with %s", async (_what, body) => {
    expect(await apply(body(), harness.sandbox.merchant.walletA.walletSerialNo)).toBe("400 PARAM_ERROR");
    expect(await stated()).toMatchObject({ status: "ABNORMAL" });
  });

  it.each(["5".repeat(28), "R-1"])("is rejected if the wallet has no refund %s", async (refundId) => {
    const { walletSerialNo } = harness.sandbox.merchant.walletA;
    expect(await apply(toCard(), walletSerialNo, refundId)).toBe("404 RESOURCE_NOT_EXISTS");
  });

  it("is rejected without the id of the key that encrypted the card", async () => {
    expect(await apply(toCard())).toBe("400 PARAM_ERROR");
  });

  it("is possible only while the refund is abnormal", async () => {
    await harness.control("POST", "/refunds/R-1", { state: "SUCCESS" });
    expect(await apply({ out_refund_no: "R-1", type: "MERCHANT_BANK_CARD" })).toBe("400 INVALID_REQUEST");
  });
});
