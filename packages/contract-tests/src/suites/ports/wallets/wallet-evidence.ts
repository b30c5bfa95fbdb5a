import { describe, expect, it } from "vitest";
import { expectOk } from "../../../support/open-before-each.js";
import type { WalletFixture } from "../../../support/wallet/wallet-fixture.js";

/** Tests that `evidence` is equal for repeated facts and differs for other facts. */
export function walletEvidence(fixture: WalletFixture): void {
  const { wallet, aRequest, aPaidOrder, aRefund, issuePayload, query, refund, queryRefund } = fixture;
  const evidenceOf = async (outTradeNo: string) => {
    const order = await expectOk(query(outTradeNo));
    if (order === undefined) throw new Error("The wallet does not know the order.");
    return order.evidence;
  };

  describe("evidence", () => {
    it("is equal for repeated statements about an order", async () => {
      const { outTradeNo } = await aPaidOrder();
      expect(await evidenceOf(outTradeNo)).toBe(await evidenceOf(outTradeNo));
    });

    it("differs between orders and between states of an order", async () => {
      const request = aRequest();
      const payload = await issuePayload(request);
      await wallet().openPayment(request.outTradeNo, payload);
      const open = (await expectOk(query(request.outTradeNo)))?.evidence;
      expect(await wallet().pay(request.outTradeNo, payload)).toBe(true);
      const paid = await evidenceOf(request.outTradeNo);
      await expectOk(refund(aRefund(request, { amount: request.amount })));
      const refunded = await evidenceOf(request.outTradeNo);
      const other = await evidenceOf((await aPaidOrder()).outTradeNo);
      expect(new Set([open, paid, refunded, other]).size).toBe(4);
    });

    it("differs between refunds", async () => {
      const request = await aPaidOrder();
      const [first, second] = [aRefund(request), aRefund(request)];
      for (const refundRequest of [first, second]) await expectOk(refund(refundRequest));
      const stated = await Promise.all(
        [first, second, first].map((refundRequest) => expectOk(queryRefund(refundRequest))),
      );
      const [one, two, again] = stated.map((known) => known?.evidence);
      expect(again).toBe(one);
      expect(two).not.toBe(one);
    });
  });
}
