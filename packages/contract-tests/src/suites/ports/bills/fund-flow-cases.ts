import type { WalletFailure } from "@tillkit/core";
import { type FlowLine, outRefundNo, type StatedLine } from "@tillkit/core/ports";
import { describe, expect, it } from "vitest";
import { anAdoption, anId, FIXTURE_TIME, DAY } from "../../../support/fixtures.js";
import { expectOk } from "../../../support/open-before-each.js";
import {
  anUnreadableLine,
  balanced,
  type BillFixture,
  FIFTEENTH,
  movementsOf,
  paymentLine,
  refundLine,
  SIXTEENTH,
} from "../../../support/stores/bill-fixture.js";

const feesOf = (lines: readonly StatedLine[]) =>
  lines.reduce((sum, { settlement }) => sum + (settlement?.fee ?? 0), 0);

/** Tests `reconcileBills` with fund-flow bills. */
export function fundFlowCases(fixture: () => BillFixture): void {
  /** Stores two payments and a refund of the first, all on one day. */
  const aDay = async () => {
    const { paid, refunded } = fixture();
    const [one, two] = [await paid(10_000), await paid(2_000)];
    const refund = await refunded(one, 4_000);
    const lines = [paymentLine(one), paymentLine(two), refundLine(one, refund)];
    return { one, two, refund, lines, movements: lines.flatMap(movementsOf) };
  };
  const other = (amount: number): FlowLine => ({ kind: "other", amount, at: FIXTURE_TIME });
  /** Sets the trade bill and the fund-flow bill of the day. */
  const serve = (lines: readonly StatedLine[], flow: readonly FlowLine[], fees = feesOf(lines)) =>
    void fixture().days.set(FIFTEENTH, { lines, totals: { fees }, flow });

  describe("a fund-flow bill", () => {
    it("agrees with the trade bill, and contains the figures of the day", async () => {
      const { reconcile, listed, stores } = fixture();
      const { lines, movements } = await aDay();
      serve(lines, balanced([...movements, other(500), other(-9_000)]));
      expect(await reconcile()).toMatchObject({
        open: 0,
        flow: {
          kind: "read",
          figures: {
            payments: 2,
            paymentAmount: 12_000,
            refunds: 1,
            refundAmount: 4_000,
            fees: 80,
            otherIncome: 500,
            otherExpense: 9_000,
            net: 7_920,
            openingBalance: 10_000,
            closingBalance: 9_420,
          },
        },
      });
      expect(await listed()).toEqual([]);
      expect(await expectOk(stores.billSettlements.removeBefore(Number.MAX_SAFE_INTEGER, 9))).toBe(0);
    });

    it("differs if the account moved by another amount, by another fee, or not at all", async () => {
      const { reconcile, listed } = fixture();
      const { one, two, refund, lines, movements } = await aDay();
      const changed = (kind: FlowLine["kind"], place: number, by: number) =>
        movements.map((movement) =>
          movement === movements.filter((each) => each.kind === kind)[place]
            ? { ...movement, amount: movement.amount + by }
            : movement,
        );
      serve(lines, balanced(changed("payment", 1, -1)));
      await reconcile();
      expect(await listed()).toEqual([`MOVEMENT_AMOUNT ${two.id}  1999 2000`]);
      serve(lines, balanced(changed("fee", 0, -1)));
      expect(await reconcile()).toMatchObject({ open: 1, gone: 1 });
      expect(await listed()).toEqual([`FEE_AMOUNT ${one.id}  101 100`]);
      serve(lines, balanced(movements.slice(0, 4)));
      expect(await reconcile()).toMatchObject({ open: 1, gone: 1 });
      expect(await listed()).toEqual([
        `MOVEMENT_MISSING ${one.id} ${outRefundNo(one, refund)} undefined -4000`,
      ]);
      serve(lines, balanced(movements));
      expect(await reconcile()).toMatchObject({ open: 0, gone: 1 });
    });

    it("does not differ if a fee is deducted from the movement instead of booked separately", async () => {
      const { reconcile, listed } = fixture();
      const { lines } = await aDay();
      const net = lines.flatMap(({ kind, settlement }): FlowLine[] =>
        settlement === undefined
          ? []
          : [
              {
                kind,
                amount: settlement.received - settlement.fee,
                at: FIXTURE_TIME,
                settlementNo: settlement.no,
              },
            ],
      );
      serve(lines, balanced(net));
      expect(await reconcile()).toMatchObject({ open: 0 });
      expect(await listed()).toEqual([]);
    });

    it("causes one difference for the day if the account pays no fees, or has no movement at all", async () => {
      const { reconcile, listed } = fixture();
      const { lines, movements } = await aDay();
      serve(lines, balanced(movements.filter(({ kind }) => kind !== "fee")));
      await reconcile();
      expect(await listed()).toEqual([`FEE_TOTAL   0 80`]);
      serve(lines, balanced([other(-5)]));
      await reconcile();
      expect(await listed()).toEqual([`MOVEMENT_MISSING   0 8000`]);
    });

    it("differs if the trade bill's total of fees does not match its lines", async () => {
      const { reconcile, listed } = fixture();
      const { lines, movements } = await aDay();
      serve(lines, balanced(movements), feesOf(lines) + 3);
      await reconcile();
      expect(await listed()).toEqual([`FEE_TOTAL   80 83`]);
    });

    it("does not compare the total of fees if the trade bill states no settlement for some lines", async () => {
      const { reconcile, listed } = fixture();
      const { lines, movements } = await aDay();
      const unsettled = lines.map(({ settlement, ...line }) =>
        line.kind === "refund" || settlement === undefined ? line : { ...line, settlement },
      );
      serve(unsettled, balanced(movements), feesOf(lines));
      await reconcile();
      expect(await listed()).toEqual([]);
    });

    it("differs if its balances do not follow from its movements", async () => {
      const { reconcile, listed } = fixture();
      const { lines, movements } = await aDay();
      const flow = balanced(movements);
      serve(
        lines,
        flow.map((one, place) => (place < 3 ? one : { ...one, balance: (one.balance ?? 0) + 7 })),
      );
      await reconcile();
      expect(await listed()).toEqual([`BALANCE   ${10_000 + 7_920 + 7} ${10_000 + 7_920}`]);
      // Movements of one time may have any order.
      serve(lines, flow.toReversed());
      expect(await reconcile()).toMatchObject({ open: 0 });
    });

    it("differs if the account moved for an order that is unknown or not paid", async () => {
      const { paid, requested, stores, reconcile, listed } = fixture();
      const { lines, movements } = await aDay();
      const stranger = { id: anId(), amount: 300 };
      const order = await paid(900);
      const failed = await requested(order, 100);
      await expectOk(stores.refunds.reject(order, failed.refundNo, FIXTURE_TIME, refusal()));
      const more = [paymentLine(stranger), refundLine(order, failed)].flatMap(movementsOf);
      serve([...lines, paymentLine(order)], [...movements, ...movementsOf(paymentLine(order)), ...more]);
      await reconcile();
      expect(await listed()).toEqual(
        [
          `MOVEMENT_UNKNOWN ${stranger.id}  300 undefined`,
          `MOVEMENT_UNKNOWN ${order.id} ${outRefundNo(order, failed)} -100 undefined`,
        ].toSorted(),
      );
    });

    it.each([
      ["the day before first", [FIFTEENTH, SIXTEENTH]],
      ["the day after first", [SIXTEENTH, FIFTEENTH]],
    ])(
      "reports no difference for a movement that is booked on the neighbouring day: %s",
      async (_, order) => {
        const { days, reconcile, listed } = fixture();
        const { one, refund, lines, movements } = await aDay();
        const late = movements.slice(4).map((movement) => ({ ...movement, at: FIXTURE_TIME + DAY }));
        days.set(FIFTEENTH, { lines, totals: { fees: feesOf(lines) }, flow: movements.slice(0, 4) });
        days.set(SIXTEENTH, { lines: [], totals: { fees: 0 }, flow: late });
        for (const day of [...order, ...order]) await reconcile(day);
        expect(await listed()).toEqual([]);
        expect(await listed("LISTED")).toEqual([
          `MOVEMENT_MISSING ${one.id} ${outRefundNo(one, refund)} undefined -4000`,
        ]);
      },
    );

    it("differs if a movement of another day is larger than the order or the refund", async () => {
      const { days, reconcile, listed } = fixture();
      const { one, refund, movements } = await aDay();
      const dear = movements
        .filter(({ kind }) => kind !== "fee")
        .map((movement) => ({ ...movement, amount: movement.amount * 2 }));
      days.set(SIXTEENTH, { lines: [], flow: dear.filter(({ amount }) => Math.abs(amount) > 4_000) });
      await reconcile(SIXTEENTH);
      expect(await listed()).toEqual(
        [
          `MOVEMENT_AMOUNT ${one.id} ${outRefundNo(one, refund)} -8000 -4000`,
          `MOVEMENT_AMOUNT ${one.id}  20000 10000`,
        ].toSorted(),
      );
    });

    it("expects no movement of a refund that the wallet had not finished", async () => {
      const { reconcile, listed } = fixture();
      const { lines, movements } = await aDay();
      const open = lines.map((line) => (line.kind === "refund" ? { ...line, state: "OPEN" as const } : line));
      serve(open, balanced(movements.slice(0, 4)));
      await reconcile();
      expect(await listed()).toEqual([]);
    });

    it("differs in sum if the trade bill lacks a refund of the console, until the refund is adopted", async () => {
      const { paid, stores, reconcile, listed } = fixture();
      const { lines, movements } = await aDay();
      const order = await paid(900);
      const all = [...lines, paymentLine(order)];
      const moved = [...movements, ...movementsOf(paymentLine(order))];
      const numbers = {
        settlementNo: "50300000000000000000000007",
        merchantNo: "5040000000000000000000000007",
      };
      const hidden = { kind: "refund", amount: -30, at: FIXTURE_TIME, ...numbers } as const;
      serve(all, balanced([...moved, hidden]));
      await reconcile();
      expect(await listed()).toEqual(["MOVEMENT_TOTAL   -30 0"]);
      const adopted = { amount: 30, walletRefundNo: hidden.settlementNo, refundNo: "console:5" };
      await expectOk(stores.refunds.adopt(anAdoption(order, adopted)));
      await reconcile();
      expect(await listed("GONE")).toEqual(["MOVEMENT_TOTAL   -30 0"]);
    });

    it("does not hide that the trade bill has lost an adopted refund, which the account paid", async () => {
      const { paid, stores, reconcile, listed, keptLines } = fixture();
      const { lines, movements } = await aDay();
      const order = await paid(900);
      const refund = { amount: 30, walletRefundNo: "5030", refundNo: "console:5" };
      const settlement = { no: "5030", received: -30, fee: 0 };
      const line = { ...paymentLine(order), kind: "refund", refundNo: "5", amount: 30, settlement } as const;
      // The refund is adopted on a later day, so the bill of this day need not list it.
      const adoption = { ...anAdoption(order, refund), at: FIXTURE_TIME + 2 * DAY };
      await expectOk(stores.refunds.adopt(adoption));
      const all = [...lines, paymentLine(order), line];
      const moved = balanced([...movements, ...movementsOf(paymentLine(order)), ...movementsOf(line)]);
      serve(all, moved);
      expect(await reconcile()).toMatchObject({ open: 0 });
      serve(all.slice(0, -1), moved);
      expect(await reconcile()).toMatchObject({ open: 1 });
      expect(await listed()).toEqual([`LINE_MISSING ${order.id} 5 undefined 30`]);
      expect(await keptLines()).toHaveLength(all.length);
    });

    it("accepts that a corrected trade bill drops a line without a movement of the account", async () => {
      const { reconcile, listed, keptLines } = fixture();
      const { lines, movements } = await aDay();
      serve([...lines, paymentLine({ id: "shop-7", amount: 700 })], balanced(movements));
      await reconcile();
      expect(await keptLines()).toHaveLength(lines.length + 1);
      serve(lines, balanced(movements));
      await reconcile();
      expect(await listed()).toEqual([]);
      expect(await keptLines()).toHaveLength(lines.length);
    });

    it("counts the movements of another seller's orders, and does not list them", async () => {
      const { reconcile, listed } = fixture();
      const { lines, movements } = await aDay();
      const foreign = paymentLine({ id: "shop-7", amount: 700 });
      serve([...lines, foreign], balanced([...movements, ...movementsOf(foreign)]));
      expect(await reconcile()).toMatchObject({
        open: 0,
        foreign: { payments: 1 },
        flow: { figures: { payments: 3, paymentAmount: 12_700, fees: 87 } },
      });
      expect(await listed()).toEqual([]);
    });

    const failures: readonly WalletFailure[] = [
      { name: "wallet.rejected", reason: "configuration", trusted: true, detail: "NO_AUTH" },
      { name: "wallet.rejected", reason: "not-ready", trusted: true, detail: "soon" },
      { name: "wallet.unknown", cause: "timeout", detail: "late" },
    ];
    it.each(failures)("that cannot be read does not stop the comparison: $detail", async (failure) => {
      const { days, reconcile, listed } = fixture();
      const { two, lines, movements } = await aDay();
      const missed = movements.filter(({ merchantNo }) => merchantNo !== two.id);
      serve(lines, balanced(missed));
      await reconcile();
      const open = [`MOVEMENT_MISSING ${two.id}  undefined 2000`];
      expect(await listed()).toEqual(open);
      const [, ...fewer] = lines;
      days.set(FIFTEENTH, { lines: fewer, flow: failure });
      expect(await reconcile()).toMatchObject({ flow: { kind: "not-read", failure }, open: 2, gone: 0 });
      // Results of an earlier run remain, and payments that the trade bill lacks are found.
      const kinds = (await listed()).map((text) => text.split(" ")[0]);
      expect(kinds).toEqual(["LINE_MISSING", "MOVEMENT_MISSING", "PAYMENT_NOT_THERE"]);
      expect(await listed()).toEqual(expect.arrayContaining(open));
    });

    it("is not compared unless it is complete", async () => {
      const { days, reconcile, listed } = fixture();
      const { lines, movements } = await aDay();
      for (const flowTotals of [{ lines: 5 }, { income: 1 }, { expense: 1 }, { unreadable: 1 }]) {
        days.set(FIFTEENTH, { lines, flow: movements.slice(2), flowTotals });
        expect(await reconcile()).toMatchObject({ flow: { kind: "not-read" }, open: 0 });
      }
      expect(await listed()).toEqual([]);
    });

    it("skips only the unreadable movements, and then draws no conclusion about totals", async () => {
      const { days, reconcile, listed } = fixture();
      const { two, lines, movements } = await aDay();
      const faulty = anUnreadableLine({ outTradeNo: two.id });
      const flow = [...balanced(movements).filter((_, place) => place !== 3), faulty];
      days.set(FIFTEENTH, { lines, totals: { fees: feesOf(lines) }, flow });
      expect(await reconcile()).toMatchObject({ flow: { figures: { unreadable: 1 } } });
      expect(await listed()).toEqual(
        [`FEE_AMOUNT ${two.id}  0 20`, `UNREADABLE_MOVEMENT ${two.id}  undefined 2000`].toSorted(),
      );
      serve(lines, balanced(movements));
      expect(await reconcile()).toMatchObject({ open: 0, gone: 2 });
    });

    it("produces the same exceptions when several processes compare it concurrently", async () => {
      const { reconcileAtOnce, listed, stores } = fixture();
      const { two, lines, movements } = await aDay();
      serve(
        lines,
        movements.filter(({ merchantNo }) => merchantNo !== two.id),
        feesOf(lines) + 1,
      );
      await reconcileAtOnce(10);
      expect(await listed()).toEqual([`FEE_TOTAL   60 61`, `MOVEMENT_MISSING ${two.id}  undefined 2000`]);
      expect(await expectOk(stores.billSettlements.removeBefore(Number.MAX_SAFE_INTEGER, 9))).toBe(0);
    });
  });
}

function refusal() {
  return {
    type: "REFUND_FAILED",
    at: FIXTURE_TIME,
    actor: "wallet",
    reason: "refused",
    alarm: false,
  } as const;
}
