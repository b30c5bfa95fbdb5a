import { expectOk } from "@tillkit/contract-tests";
import fc from "fast-check";
import { expect, it, onTestFinished } from "vitest";
import * as z from "zod";
import { testPairs } from "../testing/keys.js";
import { openAlipayHarness } from "../testing/alipay-harness.js";
import { titleText } from "../title-text.js";
import { reasonText } from "./reason-text.js";

it("reasonText cleans a refund's reason like a title, for any text", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary", maxLength: 200 }), (reason) => {
      const text = reasonText(reason, "R-1");
      expect(text).toBe(titleText(reason, 256, "R-1"));
      expect(Buffer.byteLength(text)).toBeLessThanOrEqual(256);
      expect(text).toMatch(/^[^/=&\p{Cc}\p{Cs}\u{10000}-\u{10ffff}]+$/u);
    }),
  );
});

it("the adapter sends the cleaned reason of a refund, and describes the same request", async () => {
  const [app, wallet, stranger] = testPairs;
  const credentials = { appPrivateKey: app.pkcs8, alipayPublicKey: wallet.spki };
  const harness = await openAlipayHarness({ app, wallet, stranger, credentials });
  onTestFinished(() => harness.close());
  const { port, server } = harness;
  const order = {
    outTradeNo: "O-1",
    amount: 600,
    goodsTitle: "VIP",
    paySource: "APP",
    notifyUrl: "https://svc.example/notify",
    returnUrl: "https://svc.example/return",
    expiresAt: port.now() + 60_000,
  } as const;
  const prepayment = { issuedAt: port.now(), validUntil: order.expiresAt, values: {} };
  await port.pay("O-1", await expectOk(port.payload(port.account, order, prepayment, port.now())));
  const refund = { ...order, refundNo: "R-1", amount: 100, orderAmount: 600, reason: "坏了 ✊🏽/=\n换" };
  await expectOk(port.refund(port.account, refund, { deadline: 60_000 }));
  const sent = server.requests.find((form) => form.get("method") === "alipay.trade.refund");
  const content = z.object({ refund_reason: z.string() }).parse(JSON.parse(sent?.get("biz_content") ?? ""));
  expect(content.refund_reason).toBe("坏了     换");
  expect(port.describeRefund?.(port.account, refund)).toEqual({
    operation: "alipay.trade.refund",
    body: sent?.get("biz_content"),
  });
});
