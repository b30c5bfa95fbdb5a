import { expectOk } from "@tillkit/contract-tests";
import { aShop } from "@tillkit/memory";
import { testWalletKeys as keys } from "@tillkit/test-keys";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { openSandbox, type Sandbox } from "./index.js";
import { callControl } from "./testing/call-control.js";
import { aRequest, issuePayload } from "./testing/merchant.js";

/** Values that a caller sends, or that an error inside contains. */
const HIDDEN = /MARK|13917264853/;
const VALUES: readonly unknown[] = [
  "MARK 13917264853",
  13_917_264_853,
  ["MARK"],
  { value: "MARK" },
  { biz_content: "MARK", sign: "MARK" },
  null,
];
const MEMBERS = [
  "outTradeNo",
  "payload",
  "as",
  "times",
  "amount",
  "late",
  "coupon",
  "payerCurrency",
  "mobileNo",
  "authCode",
  "ttl",
  "advanceMs",
  "walletA",
  "walletB",
  "state",
  "depositBack",
  "bizNo",
  "notify",
  "use",
  "__proto__",
];

const POSTS = [
  "/pay",
  "/attempt",
  "/finish",
  "/open",
  "/receive",
  "/notify",
  "/faults",
  "/clock",
  "/rotate-keys",
  "/sms",
  "/refund",
  "/console-refund",
  "/refunds",
  "/refunds/MARK",
  "/funds",
  "/funds/top-up",
  "/pay-code",
  "/MARK",
];
const GETS = ["/orders/MARK", "/orders/%4dARK", "/orders/%MARK", "/refunds/MARK", "/MARK", "/sms/MARK"];

describe("the control interface", () => {
  let sandbox: Sandbox;
  let shop: Awaited<ReturnType<typeof aShop>>;
  let isBroken: boolean;
  const broken = (): never => {
    throw new Error("MARK of 13917264853");
  };
  beforeEach(async () => {
    isBroken = false;
    shop = await aShop();
    sandbox = await openSandbox({
      keys,
      deliver: () => (isBroken ? broken() : Promise.resolve({ status: 500, body: "MARK 13917264853" })),
      onClockMoved: () => {
        if (isBroken) broken();
      },
      host: () => (isBroken ? broken() : shop.ports),
    });
  });
  afterEach(() => Promise.all([sandbox.close(), shop.end()]));

  const call = (method: string, path: string, body = "") => callControl(sandbox, method, path, body);
  const expectHidden = async (...request: Parameters<typeof call>) => {
    const { status, body } = await call(...request);
    if (status >= 400) expect(body, request.join(" ")).not.toMatch(HIDDEN);
    return status;
  };

  it.each(POSTS)("repeats no value of a refused request: POST %s", async (path) => {
    const bodies = [
      "MARK",
      "{MARK",
      '"MARK 13917264853"',
      '["MARK"]',
      ...VALUES.map((value) => JSON.stringify(Object.fromEntries(MEMBERS.map((name) => [name, value])))),
      ...MEMBERS.flatMap((name) => VALUES.map((value) => JSON.stringify({ [name]: value }))),
    ];
    const statuses = [];
    for (const body of bodies) statuses.push(await expectHidden("POST", path, body));
    expect(Math.max(...statuses)).toBeGreaterThanOrEqual(400);
  });

  it.each(GETS)("repeats no part of an unknown path: GET %s", async (path) => {
    expect(await expectHidden("GET", path)).toBe(404);
  });

  it.each([
    ["/clock", { advanceMs: 1 }],
    ["/refund", { bizNo: "b-1" }],
  ])("repeats no message of an exception: %s", async (path, input) => {
    isBroken = true;
    expect(await expectHidden("POST", path, JSON.stringify(input))).toBe(500);
  });

  it("repeats no text of the service or of a failed delivery", async () => {
    const notifyUrl = "http://127.0.0.1/notify";
    await expectOk(
      issuePayload(sandbox, "WALLET_A", aRequest("ORDER_1", { notifyUrl, expiresAt: Date.now() + 9e6 })),
    );
    for (isBroken of [false, true]) {
      const { body } = await call("POST", "/pay", '{"outTradeNo":"ORDER_1"}');
      expect(body).not.toMatch(HIDDEN);
    }
  });
});
