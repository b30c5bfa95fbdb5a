import type { BillLine, BillTotals, WalletFailure } from "@tillkit/core";
import { errAsync, okAsync, type ResultAsync } from "neverthrow";
import { beforeEach, describe, expect, it } from "vitest";
import { DAY, MINUTE } from "../fixtures.js";
import { expectFailure, expectOk, type Opened, opening } from "../opening.js";
import type { WalletStage } from "./wallet/wallet-stage.js";
import { LIMITS, walletWorld } from "./wallet/wallet-world.js";

/** A wallet whose clock a test can move, with the adapter's. */
export interface WalletBillStage extends WalletStage {
  /** Moves the clock forward, milliseconds. */
  advance(ms: number): Promise<void>;
}

const CHINA = 8 * 60 * MINUTE;

/** Every promise of `Wallet` on its bills, for one adapter. `open` gives a wallet without orders; it is called before each test. */
export function walletBillContract(adapter: string, open: () => Promise<Opened<WalletBillStage>>): void {
  describe(`Wallet bill contract: ${adapter}`, () => {
    const wallet = opening(open);
    const { aPaidOrder, aRefund, refund } = walletWorld(wallet);

    /** The day in China. */
    const today = () => new Date(wallet().now() + CHINA).toISOString().slice(0, 10);

    /** Noon of the next day in China: by then every wallet has made the bill. Gives the day that is over. */
    async function dayGoesBy(): Promise<string> {
      const day = today();
      const noon = Date.parse(`${day}T12:00:00+08:00`) + DAY;
      await wallet().advance(noon - wallet().now());
      return day;
    }

    // From noon on, no test sees midnight by itself.
    beforeEach(async () => {
      await dayGoesBy();
    });

    function readBill(
      day: string,
      take?: (lines: readonly BillLine[]) => ResultAsync<void, "full">,
      deadline = LIMITS.deadline,
    ): { readonly lines: BillLine[]; readonly totals: ResultAsync<BillTotals, WalletFailure | "full"> } {
      const lines: BillLine[] = [];
      const keep = (portion: readonly BillLine[]) => {
        lines.push(...portion);
        return okAsync(undefined);
      };
      return { lines, totals: wallet().readBill(wallet().account, day, take ?? keep, { deadline }) };
    }

    describe("readBill", () => {
      it("is empty for a day without money", async () => {
        const { lines, totals } = readBill(await dayGoesBy());
        expect(await expectOk(totals)).toEqual({
          payments: 0,
          paymentAmount: 0,
          refunds: 0,
          refundAmount: 0,
        });
        expect(lines).toEqual([]);
      });

      it("states a payment under the number of its order, in cents", async () => {
        const request = await aPaidOrder({ amount: 601, goodsTitle: "VIP 会员, 30 天" });
        const { lines, totals } = readBill(await dayGoesBy());
        expect(await expectOk(totals)).toEqual({
          payments: 1,
          paymentAmount: 601,
          refunds: 0,
          refundAmount: 0,
        });
        const known = await expectOk(wallet().query(wallet().account, request.outTradeNo, LIMITS));
        expect(lines).toEqual([
          {
            kind: "payment",
            outTradeNo: request.outTradeNo,
            amount: 601,
            state: "DONE",
            walletTradeNo: known?.walletTradeNo,
          },
        ]);
      });

      it("states a part that went back in the bill of its own day, under its number", async () => {
        const request = await aPaidOrder();
        const first = await dayGoesBy();
        const asked = aRefund(request, { amount: 150 });
        await expectOk(refund(asked));
        const second = await dayGoesBy();
        const before = readBill(first);
        expect(await expectOk(before.totals)).toMatchObject({ payments: 1, refunds: 0 });
        const { lines, totals } = readBill(second);
        expect(await expectOk(totals)).toEqual({
          payments: 0,
          paymentAmount: 0,
          refunds: 1,
          refundAmount: 150,
        });
        expect(lines).toEqual([
          {
            kind: "refund",
            outTradeNo: request.outTradeNo,
            refundNo: asked.refundNo,
            amount: 150,
            state: "DONE",
            walletTradeNo: before.lines[0]?.walletTradeNo,
          },
        ]);
      });

      it("states payments and refunds in the wallet's order, and nothing of orders that were not paid", async () => {
        const [one, two] = [await aPaidOrder({ amount: 100 }), await aPaidOrder({ amount: 250 })];
        const open = walletWorld(wallet).aRequest();
        await wallet().openPayment(open.outTradeNo, await walletWorld(wallet).handOut(open));
        await wallet().advance(1_000);
        await expectOk(refund(aRefund(one, { amount: 100 })));
        const { lines, totals } = readBill(await dayGoesBy());
        expect(await expectOk(totals)).toEqual({
          payments: 2,
          paymentAmount: 350,
          refunds: 1,
          refundAmount: 100,
        });
        expect(lines.map(({ outTradeNo, kind }) => [outTradeNo, kind])).toEqual([
          [one.outTradeNo, "payment"],
          [two.outTradeNo, "payment"],
          [one.outTradeNo, "refund"],
        ]);
      });

      it("is not ready while its day is not over, and concludes nothing", async () => {
        await aPaidOrder();
        const { lines, totals } = readBill(today());
        expect(await expectFailure(totals)).toMatchObject({ name: "wallet.rejected", reason: "not-ready" });
        expect(lines).toEqual([]);
      });

      it("ends with the failure of whoever takes its lines", async () => {
        await aPaidOrder();
        const { totals } = readBill(await dayGoesBy(), () => errAsync("full"));
        expect(await expectFailure(totals)).toBe("full");
      });

      it("is unknown when the wallet fails or does not answer, and a no when it says no", async () => {
        await aPaidOrder();
        const day = await dayGoesBy();
        await wallet().spoil("readBill", "server-error");
        expect(await expectFailure(readBill(day).totals)).toMatchObject({ name: "wallet.unknown" });
        await wallet().spoil("readBill", "hang");
        expect(await expectFailure(readBill(day, undefined, 100).totals)).toMatchObject({
          name: "wallet.unknown",
          cause: "timeout",
        });
        await wallet().spoil("readBill", "reject");
        expect(await expectFailure(readBill(day).totals)).toMatchObject({ name: "wallet.rejected" });
      });
    });
  });
}
