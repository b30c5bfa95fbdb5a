import { describe, expect, it } from "vitest";
import { CONCURRENT_CALLERS } from "../../../support/fixtures.js";
import { expectFailure, expectOk, race } from "../../../support/open-before-each.js";
import { LIMITS, type WalletFixture } from "../../../support/wallet/wallet-fixture.js";

const CARD = { bankType: "CMB_DEBIT", bankAccount: "6225880137395123", realName: "Li Lei" } as const;

/** Tests `Wallet`: refunds, each number once. */
export function walletRefunds(fixture: WalletFixture): void {
  const { wallet, aRequest, issuePayload, aPaidOrder, query, refund, queryRefund, aRefund } = fixture;

  describe("refund", () => {
    it("sends money back and can be queried", async () => {
      const request = await aPaidOrder();
      const refundRequest = aRefund(request);
      const made = await expectOk(refund(refundRequest));
      const facts = {
        outTradeNo: request.outTradeNo,
        refundNo: refundRequest.refundNo,
        merchantId: wallet().account.accountId,
        amount: 100,
      };
      expect(made).toMatchObject(facts);
      expect(await expectOk(queryRefund(refundRequest))).toMatchObject(facts);
      expect(await wallet().balance()).toBe(request.amount - 100);
    });

    it("refunds a number once, despite concurrent calls", async () => {
      const request = await aPaidOrder();
      const refundRequest = aRefund(request);
      const made = await race(CONCURRENT_CALLERS, () => refund(refundRequest));
      expect(new Set(made.map(({ walletRefundNo }) => walletRefundNo)).size).toBe(1);
      expect(await wallet().balance()).toBe(request.amount - 100);
    });

    it("refunds parts until nothing is left", async () => {
      const request = await aPaidOrder();
      await expectOk(refund(aRefund(request, { amount: 400 })));
      // WALLET_A may report REFUNDED after a partial refund.
      const partly = wallet().payChannel === "WALLET_A" ? ["PAID", "REFUNDED"] : ["PAID"];
      expect(partly).toContain((await expectOk(query(request.outTradeNo)))?.state);
      await expectOk(refund(aRefund(request, { amount: 200 })));
      expect(await wallet().balance()).toBe(0);
      expect(await expectFailure(refund(aRefund(request, { amount: 1 })))).toMatchObject({
        name: "wallet.rejected",
      });
      expect(await wallet().balance()).toBe(0);
    });

    it("rejects more than what was paid, another order amount, and an order that is not paid", async () => {
      const request = await aPaidOrder();
      const open = aRequest();
      await wallet().openPayment(open.outTradeNo, await issuePayload(open));
      const wrong = [
        aRefund(request, { amount: 601 }),
        aRefund(request, { orderAmount: 700 }),
        aRefund(open),
      ];
      for (const refundRequest of [...wrong, aRefund(aRequest())]) {
        expect(await expectFailure(refund(refundRequest))).toMatchObject({ name: "wallet.rejected" });
      }
      expect(await wallet().balance()).toBe(request.amount);
    });

    it("rejects a number that refunded another amount", async () => {
      const request = await aPaidOrder();
      const refundRequest = aRefund(request);
      await expectOk(refund(refundRequest));
      expect(await expectFailure(refund({ ...refundRequest, amount: 200 }))).toMatchObject({
        name: "wallet.rejected",
      });
      expect(await wallet().balance()).toBe(request.amount - 100);
    });

    it("fails with wallet.unknown if the response is lost, and a retry with the same number refunds once", async () => {
      const request = await aPaidOrder();
      const refundRequest = aRefund(request);
      await wallet().injectFault("refund", "timeout");
      expect(await expectFailure(refund(refundRequest))).toMatchObject({ name: "wallet.unknown" });
      await wallet().injectFault("refund", null);
      await expectOk(refund(refundRequest));
      expect(await wallet().balance()).toBe(request.amount - 100);
    });

    it("returns no trusted refusal and no absence for an unsigned response", async () => {
      const request = await aPaidOrder();
      await wallet().injectFault("refund", "unsigned");
      const tooMuch = await expectFailure(refund(aRefund(request, { amount: 601 })));
      expect(tooMuch).not.toMatchObject({ trusted: true });
      await wallet().injectFault("queryRefund", "unsigned");
      const unknown = await expectFailure(queryRefund(aRefund(request)));
      expect(unknown).not.toMatchObject({ trusted: true });
      expect(await wallet().balance()).toBe(request.amount);
    });

    it("pays out no refund that is not ABNORMAL, and rejects the call if the wallet does not support it", async () => {
      const request = await aPaidOrder();
      const refundRequest = aRefund(request);
      const made = await expectOk(refund(refundRequest));
      const abnormal = { ...refundRequest, walletRefundNo: made.walletRefundNo ?? refundRequest.refundNo };
      const { account, payChannel } = wallet();
      for (const payout of [{ to: "merchant" }, { to: "customer", ...CARD }] as const) {
        const failure = await expectFailure(wallet().applyAbnormalRefund(account, abnormal, payout, LIMITS));
        expect(failure.detail).not.toMatch(new RegExp(`${CARD.bankAccount}|${CARD.realName}`));
        if (payChannel === "WALLET_B") {
          expect(failure).toMatchObject({ name: "wallet.rejected", trusted: true });
          expect(failure.detail).toContain("pay the customer by other means");
        }
      }
      expect(await expectOk(queryRefund(refundRequest))).toMatchObject({ refundNo: refundRequest.refundNo });
      expect(await wallet().balance()).toBe(request.amount - 100);
    });

    it("describes a refund without making it, and without a credential", async () => {
      const request = await aPaidOrder();
      const refundRequest = aRefund(request);
      const { account } = wallet();
      const described = wallet().describeRefund?.(account, refundRequest);
      if (described === undefined) return;
      expect(described.operation).not.toBe("");
      expect(described.body).toContain(refundRequest.refundNo);
      for (const credential of Object.values(account.credentials))
        expect(described.body).not.toContain(credential);
      expect(wallet().describeRefund?.(account, refundRequest)).toEqual(described);
      expect(await wallet().balance()).toBe(request.amount);
    });

    it("returns undefined for an unknown refund", async () => {
      const request = await aPaidOrder();
      const refundRequest = aRefund(request);
      await wallet().injectFault("refund", "server-error");
      await expectFailure(refund(refundRequest));
      expect(await expectOk(queryRefund(refundRequest))).toBeUndefined();
    });

    it("fails with wallet.unknown for a refund query without a signed answer", async () => {
      const request = await aPaidOrder();
      const [made, never] = [aRefund(request), aRefund(request)];
      await expectOk(refund(made));
      for (const how of ["timeout", "server-error"] as const) {
        await wallet().injectFault("queryRefund", how);
        for (const refundRequest of [made, never])
          expect(await expectFailure(queryRefund(refundRequest))).toMatchObject({ name: "wallet.unknown" });
      }
      await wallet().injectFault("queryRefund", null);
      expect(await expectOk(queryRefund(made))).toMatchObject({ refundNo: made.refundNo });
      expect(await expectOk(queryRefund(never))).toBeUndefined();
    });
  });
}
