import { describe, expect, it } from "vitest";
import { anId } from "../../../support/fixtures.js";
import { expectFailure, expectOk } from "../../../support/open-before-each.js";
import type { WalletFixture } from "../../../support/wallet/wallet-fixture.js";

/** Tests `Wallet`: querying and closing an order. */
export function walletQueries(fixture: WalletFixture): void {
  const { wallet, aRequest, issuePayload, aPaidOrder, query, close, refund, aRefund } = fixture;

  describe("query", () => {
    it("returns undefined for an unknown order", async () => {
      expect(await expectOk(query(anId()))).toBeUndefined();
    });

    it("returns an order that can be paid", async () => {
      const request = aRequest();
      await wallet().openPayment(request.outTradeNo, await issuePayload(request));
      expect(await expectOk(query(request.outTradeNo))).toMatchObject({
        state: "OPEN",
        outTradeNo: request.outTradeNo,
        walletAppId: wallet().account.walletAppId,
        merchantId: wallet().account.accountId,
      });
    });

    it("returns every fact of a paid order that must match", async () => {
      const before = wallet().now();
      const request = await aPaidOrder();
      const order = await expectOk(query(request.outTradeNo));
      expect(order).toMatchObject({
        state: "PAID",
        outTradeNo: request.outTradeNo,
        walletAppId: wallet().account.walletAppId,
        merchantId: wallet().account.accountId,
        amount: request.amount,
        currency: "CNY",
      });
      expect(order?.walletTradeNo).toMatch(/^.+$/);
      expect(order?.evidence).toMatch(/^[0-9a-f]{64}$/);
      // Some wallets store whole seconds.
      expect(order?.paidAt).toBeGreaterThan(before - 1_000);
      expect(order?.paidAt).toBeLessThanOrEqual(wallet().now());
    });

    it("returns a closed order", async () => {
      const request = aRequest();
      await wallet().openPayment(request.outTradeNo, await issuePayload(request));
      await expectOk(close(request.outTradeNo));
      expect(await expectOk(query(request.outTradeNo))).toMatchObject({ state: "CLOSED" });
    });

    it("returns a fully refunded order", async () => {
      const request = await aPaidOrder();
      await expectOk(refund(aRefund(request, { amount: request.amount })));
      expect(await expectOk(query(request.outTradeNo))).toMatchObject({ state: "REFUNDED" });
    });

    it("fails with wallet.unknown without a signed answer", async () => {
      const { outTradeNo } = await aPaidOrder();
      for (const how of ["timeout", "server-error"] as const) {
        await wallet().injectFault("query", how);
        expect(await expectFailure(query(outTradeNo))).toMatchObject({ name: "wallet.unknown" });
      }
      await wallet().injectFault("query", null);
      expect(await expectOk(query(outTradeNo))).toMatchObject({ state: "PAID" });
    });
  });

  it("does not return undefined for an unsigned absence", async () => {
    await wallet().injectFault("query", "unsigned");
    await wallet().injectFault("close", "unsigned");
    for (const failure of [await expectFailure(query(anId())), await expectFailure(close(anId()))])
      expect(failure).not.toMatchObject({ trusted: true });
  });

  describe("close", () => {
    it("makes an order unpayable, also if it is called twice", async () => {
      const request = aRequest();
      const payload = await issuePayload(request);
      await wallet().openPayment(request.outTradeNo, payload);
      expect(await expectOk(close(request.outTradeNo))).toBe("closed");
      expect(await expectOk(close(request.outTradeNo))).toBe("closed");
      expect(await wallet().pay(request.outTradeNo, payload)).toBe(false);
      expect(await wallet().balance()).toBe(0);
    });

    it("reports that there is no such order", async () => {
      expect(await expectOk(close(anId()))).toBe("absent");
    });

    it("returns `paid` for a paid order", async () => {
      const request = await aPaidOrder();
      expect(await expectOk(close(request.outTradeNo))).toBe("paid");
      expect(await expectOk(query(request.outTradeNo))).toMatchObject({ state: "PAID" });
    });

    it("fails with wallet.unknown if the response is lost, and can be repeated", async () => {
      const request = aRequest();
      await wallet().openPayment(request.outTradeNo, await issuePayload(request));
      await wallet().injectFault("close", "timeout");
      expect(await expectFailure(close(request.outTradeNo))).toMatchObject({ name: "wallet.unknown" });
      await wallet().injectFault("close", null);
      expect(await expectOk(close(request.outTradeNo))).toBe("closed");
    });
  });
}
