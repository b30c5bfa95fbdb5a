import type { PaySource } from "@tillkit/core";
import { describe, expect, it } from "vitest";
import { DAY, MINUTE } from "../../../support/fixtures.js";
import { expectFailure, expectOk, race } from "../../../support/open-before-each.js";
import type { WalletFixture } from "../../../support/wallet/wallet-fixture.js";

/** Tests `Wallet`: the payload that opens a payment, and its validity. */
export function walletPayload(fixture: WalletFixture, paySources: readonly PaySource[]): void {
  const { wallet, aRequest, aPrepayment, aPaidOrder, prepare, query } = fixture;

  describe("a prepayment", () => {
    for (const paySource of paySources) {
      it(`is never valid for longer than its order, whether it comes from the wallet or is local: ${paySource}`, async () => {
        const at = wallet().now();
        for (const expiresAt of [at + MINUTE, at + 30 * DAY]) {
          const request = aRequest({ paySource, expiresAt });
          const { issuedAt, validUntil } = await aPrepayment(request);
          expect(issuedAt).toBeLessThan(validUntil);
          expect(validUntil).toBeLessThanOrEqual(expiresAt);
        }
      });
    }
  });

  describe("payload", () => {
    for (const paySource of paySources) {
      it(`is equal for equal arguments: ${paySource}`, async () => {
        const request = aRequest({ paySource });
        const at = wallet().now();
        const prepayment = await aPrepayment(request);
        const payloads = await race(3, () => wallet().payload(wallet().account, request, prepayment, at));
        expect(payloads[1]).toEqual(payloads[0]);
        expect(payloads[2]).toEqual(payloads[0]);
      });

      it(`opens a payment: ${paySource}`, async () => {
        const request = await aPaidOrder({ paySource });
        expect(await expectOk(query(request.outTradeNo))).toMatchObject({
          state: "PAID",
          amount: request.amount,
        });
      });
    }

    it("opens the same order after repeated signing", async () => {
      const request = aRequest();
      const prepayment = await aPrepayment(request);
      for (const later of [0, 90_000]) {
        const payload = await expectOk(
          wallet().payload(wallet().account, request, prepayment, wallet().now() + later),
        );
        await wallet().pay(request.outTradeNo, payload);
      }
      expect(await wallet().balance()).toBe(request.amount);
    });
  });

  it("accepts no payment after the order has expired", async () => {
    const request = aRequest({ expiresAt: wallet().now() - 1 });
    const opened = wallet().localPrepayment(wallet().account, request, request.expiresAt - MINUTE);
    if (opened === undefined) {
      expect(await expectFailure(prepare(request))).toMatchObject({
        name: "wallet.rejected",
        reason: "closed",
      });
      return;
    }
    const payload = await wallet().payload(wallet().account, request, opened, request.expiresAt - MINUTE);
    const paid = payload.isOk() && (await wallet().pay(request.outTradeNo, payload.value));
    expect(paid).toBe(false);
    expect(await wallet().balance()).toBe(0);
  });
}
