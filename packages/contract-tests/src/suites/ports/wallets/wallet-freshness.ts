import type { PayPayload } from "@tillkit/core";
import type { PaymentRequest } from "@tillkit/core/ports";
import { describe, expect, it } from "vitest";
import { MINUTE } from "../../../support/fixtures.js";
import { expectOk } from "../../../support/open-before-each.js";
import { at } from "../../../support/http/json.js";
import type { WalletFixture } from "../../../support/wallet/wallet-fixture.js";

/** Tests `Wallet.payload`: the signature differs for each order and each second. */
export function walletFreshness(fixture: WalletFixture): void {
  const { wallet, aRequest, aPrepayment } = fixture;
  const payloadOf = async (request: PaymentRequest, time: number): Promise<PayPayload> =>
    expectOk(wallet().payload(wallet().account, request, await aPrepayment(request), time));

  describe("payloads for an app", () => {
    it("have a different signature for each order and each second", async () => {
      const now = wallet().now();
      const [request, other] = [aRequest(), aRequest()];
      const prepayment = await aPrepayment(request);
      const signed = (time: number) =>
        expectOk(wallet().payload(wallet().account, request, prepayment, time));
      const payloads = [await signed(now), await signed(now + 1_000), await payloadOf(other, now)];
      expect(new Set(payloads.map((payload) => at(payload, "sign"))).size).toBe(payloads.length);
    });

    it("have a new nonce and the time of the signature, if the wallet requires both", async () => {
      const now = wallet().now();
      const request = aRequest();
      const prepayment = await aPrepayment(request);
      const times = [now, now + 1, now + 1_000, now + 90 * MINUTE];
      const signed = times.map((time) =>
        expectOk(wallet().payload(wallet().account, request, prepayment, time)),
      );
      const payloads = [...(await Promise.all(signed)), await payloadOf(aRequest(), now)];
      const nonces = payloads.map((payload) => at(payload, "noncestr"));
      if (wallet().payChannel === "WALLET_B") {
        expect(new Set(nonces)).toEqual(new Set([undefined]));
        return;
      }
      for (const nonce of nonces) expect(nonce).toMatch(/^[0-9A-Za-z]{32}$/);
      expect(new Set(nonces).size).toBe(payloads.length);
      const stamps = payloads.map((payload) => at(payload, "timestamp"));
      expect(stamps).toEqual([...times, now].map((time) => Math.floor(time / 1_000)));
    });
  });
}
