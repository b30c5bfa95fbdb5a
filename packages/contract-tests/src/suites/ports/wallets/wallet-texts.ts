import type { PaySource } from "@tillkit/core";
import { describe, expect, it } from "vitest";
import { expectOk } from "../../../support/open-before-each.js";
import type { WalletFixture } from "../../../support/wallet/wallet-fixture.js";

/** Emoji of every kind, characters that wallets refuse, and an overlong Chinese text. */
const TITLE = `👩‍👩‍👧 A/B=C&D ✊🏽 ❤️ 1️⃣ 🇨🇳 ${"会".repeat(90)}`;
const REASON = `🏴󠁧󠁢󠁥󠁮󠁧󠁿 A/B=C&D ☝🏽 #️⃣ ${"退".repeat(60)}`;

/** Tests `Wallet`: texts of callers and operators are adapted to the wallet. */
export function walletTexts(fixture: WalletFixture, paySources: readonly PaySource[]): void {
  const { aPaidOrder, aRefund, refund } = fixture;

  describe("texts", () => {
    for (const paySource of paySources) {
      it(`may be any title that Tillkit accepts: ${paySource}`, async () => {
        for (const goodsTitle of [TITLE, "会".repeat(127), "😀"]) await aPaidOrder({ paySource, goodsTitle });
      });
    }

    it("may be any refund reason that Tillkit accepts", async () => {
      for (const reason of [REASON, "退".repeat(80), "😀"]) {
        const refundRequest = aRefund(await aPaidOrder(), { reason });
        expect(await expectOk(refund(refundRequest))).toMatchObject({ amount: refundRequest.amount });
      }
    });
  });
}
