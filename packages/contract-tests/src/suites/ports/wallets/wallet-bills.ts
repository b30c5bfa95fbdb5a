import type { WalletFailure } from "@tillkit/core";
import {
  type BillEntry,
  type BillLine,
  type BillTotals,
  EMPTY_BILL,
  type FlowEntry,
  type FlowLine,
  type FlowTotals,
  type LineSettlement,
} from "@tillkit/core/ports";
import { errAsync, okAsync, type ResultAsync } from "neverthrow";
import { beforeEach, describe, expect, it } from "vitest";
import { DAY, MINUTE } from "../../../support/fixtures.js";
import { expectFailure, expectOk, type Opened, openBeforeEach } from "../../../support/open-before-each.js";
import type { WalletHarness } from "../../../support/wallet/wallet-harness.js";
import { LIMITS, walletFixture } from "../../../support/wallet/wallet-fixture.js";

/** A wallet environment whose clock a test can advance, together with the adapter's clock. */
export interface WalletBillHarness extends WalletHarness {
  /** Advances the clock by `ms` milliseconds. */
  advance(ms: number): Promise<void>;
}

const CHINA = 8 * 60 * MINUTE;

/**
 * Tests the bill methods of `Wallet`. `open` returns a wallet without orders for each test.
 *
 * @example
 * ```ts
 * import { walletBillContract } from "@tillkit/contract-tests";
 * import { openMyWallet } from "./my-adapter.js";
 *
 * walletBillContract("my wallet", openMyWallet);
 * ```
 */
export function walletBillContract(adapter: string, open: () => Promise<Opened<WalletBillHarness>>): void {
  describe(`Wallet bill contract: ${adapter}`, () => {
    const wallet = openBeforeEach(open);
    const { aPaidOrder, aRefund, refund } = walletFixture(wallet);

    /** Returns the current day in China. */
    const today = () => new Date(wallet().now() + CHINA).toISOString().slice(0, 10);

    /**
     * Advances the clock to noon of the next day in China, when every wallet has created the bill.
     *
     * Returns the day that has ended.
     */
    async function dayGoesBy(): Promise<string> {
      const day = today();
      const noon = Date.parse(`${day}T12:00:00+08:00`) + DAY;
      await wallet().advance(noon - wallet().now());
      return day;
    }

    // From noon on, no test reaches midnight without advancing the clock.
    beforeEach(async () => {
      await dayGoesBy();
    });

    function readBill(
      day: string,
      take?: (lines: readonly BillEntry[]) => ResultAsync<void, "full">,
      deadline = LIMITS.deadline,
    ): {
      readonly lines: BillLine[];
      /** The settlement of each line, in the same order. */
      readonly settlements: LineSettlement[];
      readonly totals: ResultAsync<BillTotals, WalletFailure | "full">;
    } {
      const lines: BillLine[] = [];
      const settlements: LineSettlement[] = [];
      const keep = (portion: readonly BillEntry[]) => {
        for (const entry of portion) {
          if (entry.kind === "unreadable") throw new Error(`A line cannot be read: ${entry.problem}`);
          const { settlement, ...line } = entry;
          lines.push(line);
          if (settlement !== undefined) settlements.push(settlement);
        }
        return okAsync(undefined);
      };
      const totals = wallet().readBill(wallet().account, day, take ?? keep, { deadline });
      return { lines, settlements, totals };
    }

    function readFundFlow(
      day: string,
      take?: (lines: readonly FlowEntry[]) => ResultAsync<void, "full">,
      deadline = LIMITS.deadline,
    ): { readonly lines: FlowLine[]; readonly totals: ResultAsync<FlowTotals, WalletFailure | "full"> } {
      const lines: FlowLine[] = [];
      const keep = (portion: readonly FlowEntry[]) => {
        for (const entry of portion) {
          if (entry.kind === "unreadable") throw new Error(`A movement cannot be read: ${entry.problem}`);
          lines.push(entry);
        }
        return okAsync(undefined);
      };
      const totals = wallet().readFundFlow(wallet().account, day, take ?? keep, { deadline });
      return { lines, totals };
    }

    describe("readBill", () => {
      it("is empty for a day without payments, or does not exist", async () => {
        const { lines, totals } = readBill(await dayGoesBy());
        const noBill = { name: "wallet.rejected", reason: "no-bill", trusted: true };
        const sums = await totals.match(
          (read) => read,
          (failure) => {
            expect(failure).toMatchObject(noBill);
            return EMPTY_BILL;
          },
        );
        expect(sums).toMatchObject({ payments: 0, paymentAmount: 0, refunds: 0, refundAmount: 0 });
        expect(sums.fees ?? 0).toBe(0);
        expect(lines).toEqual([]);
      });

      it("lists a payment with the number of its order, in cents", async () => {
        const request = await aPaidOrder({ amount: 601, goodsTitle: "VIP 会员, 30 天" });
        const { lines, totals } = readBill(await dayGoesBy());
        expect(await expectOk(totals)).toMatchObject({
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

      it.each(["a,`b", "`,`", "2026-01-15 10:00:00,1.00,0.00", "30%,`0.60%,`9.99,`0.00,`"])(
        "reads the line of a payment with the title %j or reports it as unreadable, and reads every other line",
        async (goodsTitle) => {
          const [odd, plain] = [await aPaidOrder({ amount: 601, goodsTitle }), await aPaidOrder()];
          const entries: BillEntry[] = [];
          const { totals } = readBill(await dayGoesBy(), (portion) => okAsync(void entries.push(...portion)));
          const sums = await expectOk(totals);
          expect(sums.payments + (sums.unreadable?.lines ?? 0)).toBe(2);
          const of = (outTradeNo: string) => entries.filter((entry) => entry.outTradeNo === outTradeNo);
          expect(of(plain.outTradeNo)).toMatchObject([{ kind: "payment", amount: plain.amount }]);
          const [line] = of(odd.outTradeNo);
          // The amount is never wrong: an uncertain line is unreadable.
          if (line?.kind === "payment") expect(line.amount).toBe(601);
          else expect(line).toMatchObject({ kind: "unreadable" });
        },
      );

      it("lists a partial refund in the bill of its own day, with its number", async () => {
        const request = await aPaidOrder();
        const first = await dayGoesBy();
        const refundRequest = aRefund(request, { amount: 150 });
        await expectOk(refund(refundRequest));
        const second = await dayGoesBy();
        const before = readBill(first);
        expect(await expectOk(before.totals)).toMatchObject({ payments: 1, refunds: 0 });
        const { lines, totals } = readBill(second);
        expect(await expectOk(totals)).toMatchObject({
          payments: 0,
          paymentAmount: 0,
          refunds: 1,
          refundAmount: 150,
        });
        expect(lines).toEqual([
          {
            kind: "refund",
            outTradeNo: request.outTradeNo,
            refundNo: refundRequest.refundNo,
            amount: 150,
            state: "DONE",
            walletTradeNo: before.lines[0]?.walletTradeNo,
          },
        ]);
      });

      it("lists payments and refunds by time, and no unpaid orders", async () => {
        const [one, two] = [await aPaidOrder({ amount: 100 }), await aPaidOrder({ amount: 250 })];
        const open = walletFixture(wallet).aRequest();
        await wallet().openPayment(open.outTradeNo, await walletFixture(wallet).issuePayload(open));
        await wallet().advance(1_000);
        await expectOk(refund(aRefund(one, { amount: 100 })));
        const { lines, totals } = readBill(await dayGoesBy());
        expect(await expectOk(totals)).toMatchObject({
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

      it("returns refund totals that equal the sum of the lines", async () => {
        const request = await aPaidOrder({ amount: 600 });
        await expectOk(refund(aRefund(request, { amount: 1 })));
        await expectOk(refund(aRefund(request, { amount: 299 })));
        const { lines, totals } = readBill(await dayGoesBy());
        const { refunds, refundAmount } = await expectOk(totals);
        const amounts = lines.flatMap(({ kind, amount }) => (kind === "refund" ? [amount] : []));
        expect(amounts.toSorted()).toEqual([1, 299]);
        expect({ refunds, refundAmount }).toEqual({ refunds: 2, refundAmount: 300 });
      });

      it("fails with `not-ready` before the day has ended", async () => {
        await aPaidOrder();
        const { lines, totals } = readBill(today());
        expect(await expectFailure(totals)).toMatchObject({ name: "wallet.rejected", reason: "not-ready" });
        expect(lines).toEqual([]);
      });

      it("returns the failure of `take`", async () => {
        await aPaidOrder();
        const { totals } = readBill(await dayGoesBy(), () => errAsync("full"));
        expect(await expectFailure(totals)).toBe("full");
      });

      it("fails with wallet.unknown if the wallet fails or does not answer, and with wallet.rejected if it refuses", async () => {
        await aPaidOrder();
        const day = await dayGoesBy();
        await wallet().injectFault("readBill", "server-error");
        expect(await expectFailure(readBill(day).totals)).toMatchObject({ name: "wallet.unknown" });
        await wallet().injectFault("readBill", "hang");
        expect(await expectFailure(readBill(day, undefined, 100).totals)).toMatchObject({
          name: "wallet.unknown",
          cause: "timeout",
        });
        await wallet().injectFault("readBill", "reject");
        expect(await expectFailure(readBill(day).totals)).toMatchObject({ name: "wallet.rejected" });
      });
    });

    describe("readFundFlow", () => {
      it("is empty for a day without payments", async () => {
        const { lines, totals } = readFundFlow(await dayGoesBy());
        expect(await expectOk(totals)).toEqual({ lines: 0, income: 0, expense: 0 });
        expect(lines).toEqual([]);
      });

      it("contains the settlements of the trade bill under the same numbers, including fees", async () => {
        const one = await aPaidOrder({ amount: 10_000 });
        await aPaidOrder({ amount: 250 });
        await wallet().advance(1_000);
        await expectOk(refund(aRefund(one, { amount: 4_000 })));
        const day = await dayGoesBy();
        const trade = readBill(day);
        const { fees } = await expectOk(trade.totals);
        const flow = readFundFlow(day);
        await expectOk(flow.totals);
        expect(trade.settlements).toHaveLength(3);
        expect(trade.settlements.reduce((sum, { fee }) => sum + fee, 0)).toBe(fees);
        expect(fees).toBeGreaterThan(0);
        const gains = (numbered: readonly (readonly [string, number])[]) => {
          const sums = new Map<string, number>();
          for (const [no, gain] of numbered) sums.set(no, (sums.get(no) ?? 0) + gain);
          return [...sums].toSorted();
        };
        const stated = gains(trade.settlements.map(({ no, received, fee }) => [no, received - fee]));
        const moved = gains(flow.lines.map(({ settlementNo = "", amount }) => [settlementNo, amount]));
        expect(moved).toEqual(stated);
        const of = (kind: FlowLine["kind"]) =>
          flow.lines.flatMap((line) => (line.kind === kind ? [line.amount] : []));
        expect(of("payment").toSorted()).toEqual([10_000, 250].toSorted());
        expect(of("refund")).toEqual([-4_000]);
        expect(-of("fee").reduce((sum, amount) => sum + amount, 0)).toBe(fees);
      });

      it("contains consecutive balances, also from one day to the next", async () => {
        await aPaidOrder({ amount: 10_000 });
        const first = await dayGoesBy();
        const request = await aPaidOrder({ amount: 700 });
        await expectOk(refund(aRefund(request, { amount: 700 })));
        const second = await dayGoesBy();
        const flows = [readFundFlow(first), readFundFlow(second)];
        for (const { totals } of flows) await expectOk(totals);
        const lines = flows.flatMap((flow) => flow.lines);
        let balance = lines[0]?.balance;
        for (const [place, line] of lines.entries()) {
          if (place > 0 && balance !== undefined) balance += line.amount;
          expect(line.balance).toBe(balance);
        }
        expect(balance).toBeDefined();
      });

      it("contains the order of a payment, and the refund or its order", async () => {
        const request = await aPaidOrder({ amount: 10_000 });
        const refundRequest = aRefund(request, { amount: 4_000 });
        await expectOk(refund(refundRequest));
        const flow = readFundFlow(await dayGoesBy());
        await expectOk(flow.totals);
        const named = (kind: FlowLine["kind"]) =>
          flow.lines.flatMap((line) => (line.kind === kind ? [line.merchantNo] : []));
        expect(named("payment")).toEqual([request.outTradeNo]);
        expect([[refundRequest.refundNo], [request.outTradeNo]]).toContainEqual(named("refund"));
      });

      it("fails with `not-ready` before the day has ended", async () => {
        await aPaidOrder();
        const { lines, totals } = readFundFlow(today());
        expect(await expectFailure(totals)).toMatchObject({ name: "wallet.rejected", reason: "not-ready" });
        expect(lines).toEqual([]);
      });

      it("returns the failure of `take`", async () => {
        await aPaidOrder();
        const { totals } = readFundFlow(await dayGoesBy(), () => errAsync("full"));
        expect(await expectFailure(totals)).toBe("full");
      });

      it("fails with wallet.unknown if the wallet fails or does not answer, and with wallet.rejected if it refuses", async () => {
        await aPaidOrder();
        const day = await dayGoesBy();
        await wallet().injectFault("readFundFlow", "server-error");
        expect(await expectFailure(readFundFlow(day).totals)).toMatchObject({ name: "wallet.unknown" });
        await wallet().injectFault("readFundFlow", "hang");
        expect(await expectFailure(readFundFlow(day, undefined, 100).totals)).toMatchObject({
          name: "wallet.unknown",
          cause: "timeout",
        });
        await wallet().injectFault("readFundFlow", "reject");
        expect(await expectFailure(readFundFlow(day).totals)).toMatchObject({ name: "wallet.rejected" });
      });
    });
  });
}
