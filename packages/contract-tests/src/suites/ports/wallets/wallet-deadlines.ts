import type { WalletFailure } from "@tillkit/core";
import type { ResultAsync } from "neverthrow";
import { describe, expect, it } from "vitest";
import { expectFailure, expectOk } from "../../../support/open-before-each.js";
import type { FaultyCall } from "../../../support/wallet/wallet-harness.js";
import type { WalletFixture } from "../../../support/wallet/wallet-fixture.js";

/** Deadline in milliseconds. It is short, because the test waits for it. */
const DEADLINE = 50;
/** Maximum milliseconds of a call with `DEADLINE`. A busy machine may stop a test for seconds. */
const PATIENCE = 20_000;

/** Tests that every `Wallet` call settles within its deadline, even if the wallet never answers. */
export function walletDeadlines(fixture: WalletFixture): void {
  const { wallet, aRequest, aPaidOrder, aRefund, prepare, query, close, refund, queryRefund } = fixture;

  describe("a wallet that never answers", () => {
    const expectTimeout = async (call: FaultyCall, run: () => ResultAsync<unknown, WalletFailure>) => {
      await wallet().injectFault(call, "hang");
      const startedAt = performance.now();
      expect(await expectFailure(run())).toMatchObject({ name: "wallet.unknown", cause: "timeout" });
      expect(performance.now() - startedAt).toBeLessThan(PATIENCE);
      await wallet().injectFault(call, null);
    };

    it("ends prepare with wallet.unknown at the deadline, and the order can be prepared afterwards", async () => {
      const request = aRequest({ paySource: "NATIVE" });
      await expectTimeout("prepare", () => prepare(request, DEADLINE));
      await expectOk(prepare(request));
    });

    it("ends query with wallet.unknown at the deadline", async () => {
      const { outTradeNo } = await aPaidOrder();
      await expectTimeout("query", () => query(outTradeNo, DEADLINE));
      expect(await expectOk(query(outTradeNo))).toMatchObject({ state: "PAID" });
    });

    it("ends close with wallet.unknown at the deadline", async () => {
      const { outTradeNo } = await aPaidOrder();
      await expectTimeout("close", () => close(outTradeNo, DEADLINE));
      expect(await expectOk(close(outTradeNo))).toBe("paid");
    });

    it("ends refund with wallet.unknown at the deadline, and a retry with the same number refunds once", async () => {
      const request = await aPaidOrder();
      const refundRequest = aRefund(request);
      await expectTimeout("refund", () => refund(refundRequest, DEADLINE));
      await expectOk(refund(refundRequest));
      expect(await wallet().balance()).toBe(request.amount - refundRequest.amount);
    });

    it("ends queryRefund with wallet.unknown at the deadline", async () => {
      const refundRequest = aRefund(await aPaidOrder());
      await expectOk(refund(refundRequest));
      await expectTimeout("queryRefund", () => queryRefund(refundRequest, DEADLINE));
      expect(await expectOk(queryRefund(refundRequest))).toMatchObject({ refundNo: refundRequest.refundNo });
    });
  });
}
