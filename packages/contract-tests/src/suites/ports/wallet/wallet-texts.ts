import type { PaySource } from "@tillkit/core";
import { describe, expect, it } from "vitest";
import { expectOk } from "../../../support/opening.js";
import type { WalletWorld } from "../../../support/wallet/wallet-world.js";

/**
 * Emoji of every kind, signs that a wallet refuses in some places, and more Chinese characters than
 * a wallet has room for.
 */
const TITLE = `👩‍👩‍👧 A/B=C&D ✊🏽 ❤️ 1️⃣ 🇨🇳 ${"会".repeat(90)}`;
const REASON = `🏴󠁧󠁢󠁥󠁮󠁧󠁿 A/B=C&D ☝🏽 #️⃣ ${"退".repeat(60)}`;

/** `Wallet`: the texts of callers and operators are made fit for the wallet. */
export function walletTexts(world: WalletWorld, paySources: readonly PaySource[]): void {
  const { aPaidOrder, aRefund, refund } = world;

  describe("texts", () => {
    for (const paySource of paySources) {
      it(`may be anything that the service allows in a title: ${paySource}`, async () => {
        for (const goodsTitle of [TITLE, "会".repeat(127), "😀"]) await aPaidOrder({ paySource, goodsTitle });
      });
    }

    it("may be anything that the service allows as the reason of a refund", async () => {
      for (const reason of [REASON, "退".repeat(80), "😀"]) {
        const asked = aRefund(await aPaidOrder(), { reason });
        expect(await expectOk(refund(asked))).toMatchObject({ amount: asked.amount });
      }
    });
  });
}
