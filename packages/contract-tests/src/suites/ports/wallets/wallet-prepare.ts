import { describe, expect, it } from "vitest";
import { CONCURRENT_CALLERS } from "../../../support/fixtures.js";
import { expectFailure, expectOk, race } from "../../../support/open-before-each.js";
import type { WalletFixture } from "../../../support/wallet/wallet-fixture.js";

/** Tests `Wallet`: preparing an order. */
export function walletPrepare(fixture: WalletFixture): void {
  const { wallet, aRequest, issuePayload, aPaidOrder, prepare, query, close } = fixture;

  describe("prepare", () => {
    it("accepts a repeated request as the same order", async () => {
      const request = aRequest({ paySource: "NATIVE" });
      await expectOk(prepare(request));
      const prepayment = await expectOk(prepare(request));
      const payload = await expectOk(wallet().payload(wallet().account, request, prepayment, wallet().now()));
      expect(await wallet().pay(request.outTradeNo, payload)).toBe(true);
      expect(await wallet().balance()).toBe(request.amount);
    });

    it("rejects a changed request, and keeps the first", async () => {
      const request = aRequest({ paySource: "NATIVE" });
      const prepayment = await expectOk(prepare(request));
      const changed = await expectFailure(prepare({ ...request, amount: request.amount + 1 }));
      expect(changed).toMatchObject({ name: "wallet.rejected", reason: "conflict" });
      const payload = await expectOk(wallet().payload(wallet().account, request, prepayment, wallet().now()));
      await wallet().pay(request.outTradeNo, payload);
      expect(await wallet().balance()).toBe(request.amount);
    });

    it("creates one order for concurrent identical requests", async () => {
      const request = aRequest({ paySource: "NATIVE" });
      const prepayments = await race(CONCURRENT_CALLERS, () => prepare(request));
      for (const prepayment of prepayments) {
        const payload = await expectOk(
          wallet().payload(wallet().account, request, prepayment, wallet().now()),
        );
        await wallet().pay(request.outTradeNo, payload);
      }
      expect(await wallet().balance()).toBe(request.amount);
    });

    it("rejects an order that is paid", async () => {
      const request = await aPaidOrder({ paySource: "NATIVE" });
      expect(await expectFailure(prepare(request))).toMatchObject({
        name: "wallet.rejected",
        reason: "paid",
      });
    });

    it("rejects an order that is closed", async () => {
      const request = aRequest({ paySource: "NATIVE" });
      await wallet().openPayment(request.outTradeNo, await issuePayload(request));
      await expectOk(close(request.outTradeNo));
      expect(await expectFailure(prepare(request))).toMatchObject({
        name: "wallet.rejected",
        reason: "closed",
      });
    });

    it("fails with wallet.unknown if the response is lost, and a retry returns the same order", async () => {
      const request = aRequest({ paySource: "NATIVE" });
      await wallet().injectFault("prepare", "timeout");
      expect(await expectFailure(prepare(request))).toMatchObject({ name: "wallet.unknown" });
      await wallet().injectFault("prepare", null);
      expect(await wallet().pay(request.outTradeNo, await issuePayload(request))).toBe(true);
      expect(await wallet().balance()).toBe(request.amount);
    });

    it("fails with wallet.unknown if the wallet fails, and with wallet.rejected if it refuses", async () => {
      const request = aRequest({ paySource: "NATIVE" });
      await wallet().injectFault("prepare", "server-error");
      expect(await expectFailure(prepare(request))).toMatchObject({
        name: "wallet.unknown",
        cause: "server-error",
      });
      await wallet().injectFault("prepare", "reject");
      expect(await expectFailure(prepare(request))).toMatchObject({ name: "wallet.rejected" });
      expect(await expectOk(query(request.outTradeNo))).toBeUndefined();
    });
  });
}
