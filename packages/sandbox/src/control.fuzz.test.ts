import fc from "fast-check";
import { afterAll, beforeAll, expect, inject, it } from "vitest";
import { openSandbox, type Sandbox } from "./index.js";

let sandbox: Sandbox;
beforeAll(async () => {
  sandbox = await openSandbox({
    keys: inject("sandboxKeys"),
    deliver: () => Promise.resolve({ status: 500, body: "" }),
  });
});
afterAll(() => sandbox.close());

const words: unknown = expect.stringMatching(/[a-z]/);
const PATHS = [
  "/pay",
  "/open",
  "/receive",
  "/notify",
  "/faults",
  "/clock",
  "/sms",
  "/keys",
  "/wallets",
  "/notifications",
  "/orders/x",
  "/",
];
const NAMES = [
  "outTradeNo",
  "payload",
  "late",
  "times",
  "amount",
  "as",
  "walletA",
  "walletB",
  "sms",
  "prepay",
  "notify",
  "fault",
  "advanceMs",
  "sign",
  "biz_content",
  "code_url",
  "qr_code",
  "pay_url",
  "h5_url",
  "orderString",
  "__proto__",
];
const WORDS = [
  "drop",
  "hang",
  "500",
  "probe",
  "https://qr.alipay.com/1",
  "weixin://wxpay/bizpayurl?pr=1",
  "app_id=%zz&sign=1",
  "http://127.0.0.1/gateway.do?a=1",
];

const { json } = fc.letrec((again) => ({
  json: fc.oneof(
    { depthSize: "small" },
    fc.constantFrom<unknown>(null, true, 0, -1, 1.5, 2 ** 53, "", ...WORDS),
    fc.string({ unit: "binary", maxLength: 12 }),
    fc.array(again("json"), { maxLength: 3 }),
    fc.dictionary(fc.constantFrom(...NAMES), again("json"), { maxKeys: 4 }),
  ),
}));
const body = fc.oneof(
  { weight: 4, arbitrary: json.map((value) => new TextEncoder().encode(JSON.stringify(value))) },
  { weight: 1, arbitrary: fc.uint8Array({ maxLength: 40 }) },
);

it("answers JSON to whatever it is sent, says what is wrong with what it refuses, and never fails", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom("GET", "POST", "PUT"),
      fc.constantFrom(...PATHS),
      fc.string({ maxLength: 12 }),
      body,
      async (method, path, query, bytes) => {
        const reply = await sandbox.control.handle({ method, path, query, headers: {}, body: bytes });
        expect([200, 400, 404, 409, 422]).toContain(reply.status);
        const answer: unknown = JSON.parse(reply.body);
        if (reply.status !== 200) expect(answer).toEqual({ error: words });
      },
    ),
    { numRuns: 400 },
  );
});
