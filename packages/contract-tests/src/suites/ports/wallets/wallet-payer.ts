import { describe, expect, it } from "vitest";
import { expectFailure, expectOk } from "../../../support/open-before-each.js";
import type { WalletFixture } from "../../../support/wallet/wallet-fixture.js";

/** Tests `Wallet`: payments that are bound to one customer. */
export function walletPayer(fixture: WalletFixture): void {
  const { wallet, aRequest, issuePayload, prepare, query } = fixture;

  describe("a payment for one customer", () => {
    it("returns the same order for the same customer, and a conflict for another", async () => {
      const request = aRequest({ paySource: "JSAPI" });
      await expectOk(prepare(request));
      await expectOk(prepare(request));
      // This id has a form that both wallets accept.
      const other = { ...request, payerId: "074a1CcTG1LelxKe4xQC0zgNdId0nxi95b5lsNpazWYoCo5" };
      expect(await expectFailure(prepare(other))).toMatchObject({
        name: "wallet.rejected",
        reason: "conflict",
      });
      expect(await wallet().pay(request.outTradeNo, await issuePayload(request))).toBe(true);
      expect(await wallet().balance()).toBe(request.amount);
    });

    it("is rejected with the reason `configuration` without the customer, and without a call", async () => {
      const { payerId: _left, ...request } = aRequest({ paySource: "JSAPI" });
      expect(await expectFailure(prepare(request))).toMatchObject({
        name: "wallet.rejected",
        reason: "configuration",
        trusted: true,
      });
      expect(await expectOk(query(request.outTradeNo))).toBeUndefined();
    });

    it("does not contain the customer in the payload", async () => {
      const request = aRequest({ paySource: "JSAPI" });
      const { payerId } = request;
      if (payerId === undefined) throw new Error("The request names no payer.");
      expect(JSON.stringify(await issuePayload(request))).not.toContain(payerId);
    });
  });
}
