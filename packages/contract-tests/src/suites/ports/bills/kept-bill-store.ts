import type { Bill, KeptBill, KeptBillLine, KeptBillStore } from "@tillkit/core/ports";
import { describe, expect, it } from "vitest";
import {
  aKeptBill,
  aKeptBillLine,
  CONCURRENT_CALLERS,
  FIXTURE_TIME,
  UNUSUAL_TEXT,
} from "../../../support/fixtures.js";
import { expectOk, type Opened, openBeforeEach, race } from "../../../support/open-before-each.js";
import { drained } from "../../../support/stores/drained.js";

/** Tests every requirement of `KeptBillStore`. `open` returns an empty store for each test. */
export function keptBillStoreContract(adapter: string, open: () => Promise<Opened<KeptBillStore>>): void {
  describe(`KeptBillStore contract: ${adapter}`, () => {
    const store = openBeforeEach(open);
    const day = "2026-01-15";
    const list = (from = day, until = day) => expectOk(store().list(from, until));
    const page = (runId: string, after = 0, limit = 100) => expectOk(store().page(runId, after, limit));
    const begin = (bill: KeptBill) => expectOk(store().begin(bill.runId, bill, bill.asOf));
    const runOf = async ({ day: of, payChannel, appEnv, accountId }: KeptBill) =>
      (await list(of, of)).find(
        (one) => one.payChannel === payChannel && one.appEnv === appEnv && one.accountId === accountId,
      )?.runId;
    /** Keeps the bill of a run, in place of the run that was kept before. */
    const keep = async (bill: KeptBill, at = bill.asOf + 1) =>
      expectOk(store().keep(bill, await runOf(bill), at));
    /** Reads a bill with these lines as one run. */
    const read = async (changes: Partial<KeptBill> = {}, lines: readonly KeptBillLine[] = []) => {
      const bill = aKeptBill({ lines: lines.length, ...changes });
      await begin(bill);
      await expectOk(store().add(bill.runId, lines));
      return bill;
    };
    const kept = async (changes: Partial<KeptBill> = {}, lines: readonly KeptBillLine[] = []) => {
      const bill = await read(changes, lines);
      expect(await keep(bill)).toBe(true);
      return bill;
    };
    const lineAt = (position: number, changes: Partial<KeptBillLine> = {}) =>
      aKeptBillLine({ position, ...changes });

    describe("add and page", () => {
      it("store every member exactly, and keep absent members absent", async () => {
        const full = lineAt(1, {
          kind: "refund",
          refundNo: "r-1",
          amount: 10_000_000_000,
          state: "OPEN",
          bizNo: UNUSUAL_TEXT,
          received: -9_000_000_000,
          fee: -3,
        });
        const {
          settlementNo: _no,
          received: _received,
          fee: _fee,
          appId: _app,
          bizNo: _biz,
          ...bare
        } = lineAt(2);
        const { runId } = await read({}, [bare, full]);
        expect(await page(runId)).toStrictEqual([full, bare]);
      });

      it("return pages in the order of the positions, and no line of another run", async () => {
        const lines = [1, 2, 3].map((position) => lineAt(position));
        const { runId } = await read({}, lines.toReversed());
        await read({}, [lineAt(4)]);
        expect(await page(runId, 0, 2)).toEqual(lines.slice(0, 2));
        expect(await page(runId, 2, 2)).toEqual(lines.slice(2));
        expect(await page(runId, 3)).toEqual([]);
        expect(await page("unknown")).toEqual([]);
      });

      it("change nothing for a position that the run already has", async () => {
        const line = lineAt(1);
        const { runId } = await read({}, [line]);
        await expectOk(store().add(runId, [lineAt(1, { amount: 7 }), lineAt(2)]));
        await expectOk(store().add(runId, []));
        const [first, second, ...rest] = await page(runId);
        expect([first, second?.position, rest]).toEqual([line, 2, []]);
      });
    });

    describe("keep and list", () => {
      it("list the bill of a run once it is kept, exactly as given", async () => {
        const { fees: _fees, opening: _opening, closing: _closing, ...bare } = aKeptBill();
        const full = await read();
        await begin(bare);
        expect(await list()).toEqual([]);
        await keep(full);
        expect(await list()).toStrictEqual([full]);
        const other = { ...bare, accountId: "other" };
        await begin({ ...other, runId: "run-other" });
        await keep({ ...other, runId: "run-other" });
        expect(await list()).toContainEqual({ ...other, runId: "run-other" });
        expect(await keep(aKeptBill({ runId: "never-begun" }))).toBe(false);
      });

      it("change nothing if the run has kept the bill before", async () => {
        const bill = await kept({}, [lineAt(1)]);
        expect(await keep({ ...bill, lines: 9 })).toBe(true);
        expect(await list()).toStrictEqual([bill]);
      });

      it("replace exactly the bill of that day and account by a later run", async () => {
        const others: readonly Partial<Bill>[] = [
          { day: "2026-01-16" },
          { accountId: "another" },
          { payChannel: "WALLET_B" },
          { appEnv: "PROD" },
        ];
        const untouched: KeptBill[] = [];
        for (const other of others) untouched.push(await kept(other, [lineAt(1)]));
        await kept({}, [lineAt(1, { amount: 100 })]);
        const restated = await kept({ asOf: FIXTURE_TIME + 1 }, [lineAt(1, { amount: 200 }), lineAt(2)]);
        const listed = await list("2026-01-01", "2026-01-31");
        expect(listed).toHaveLength(5);
        for (const bill of [...untouched, restated]) expect(listed).toContainEqual(bill);
      });

      it("keep the lines of a replaced run for its readers", async () => {
        const lines = [lineAt(1), lineAt(2)];
        const before = await kept({}, lines);
        await kept({ asOf: FIXTURE_TIME + 1 }, [lineAt(1, { amount: 7 })]);
        expect(await page(before.runId)).toEqual(lines);
      });

      it("keep nothing of an earlier run that ends later", async () => {
        const early = await read();
        const late = await kept({ asOf: FIXTURE_TIME + 1 });
        expect(await keep(early, FIXTURE_TIME + 9)).toBe(false);
        expect(await list()).toStrictEqual([late]);
      });

      it("list the bills of the range of days, sorted", async () => {
        const bills = [
          await kept({ day: "2026-01-17" }),
          await kept({ day: "2026-01-16", payChannel: "WALLET_B" }),
          await kept({ day: "2026-01-16", accountId: "b" }),
          await kept({ day: "2026-01-16", accountId: "a" }),
        ];
        await kept({ day: "2026-01-15" });
        await kept({ day: "2026-01-18" });
        expect(await list("2026-01-16", "2026-01-17")).toEqual(bills.toReversed());
      });

      it(`keep only the run that began last, of ${CONCURRENT_CALLERS} concurrent runs over a bill`, async () => {
        const runs = Array.from({ length: CONCURRENT_CALLERS }, (_, index) =>
          aKeptBill({ asOf: FIXTURE_TIME + index, lines: 1 }),
        );
        await Promise.all(
          runs.map(async (bill) => {
            await begin(bill);
            await expectOk(store().add(bill.runId, [lineAt(1)]));
            // A call fails if another run has kept the bill since it was listed.
            while (!(await keep(bill)) && ((await list())[0]?.asOf ?? 0) < bill.asOf);
          }),
        );
        expect(await list()).toStrictEqual([runs.at(-1)]);
      });

      it(`replace a run once in ${CONCURRENT_CALLERS} concurrent calls`, async () => {
        for (const instead of [undefined, (await kept({ day: "2026-01-16" })).runId]) {
          const of = { day: instead === undefined ? day : "2026-01-16", asOf: FIXTURE_TIME + 1 };
          const runs = Array.from({ length: CONCURRENT_CALLERS }, () => aKeptBill(of));
          for (const bill of runs) await begin(bill);
          const answers = await race(CONCURRENT_CALLERS, (caller) =>
            store().keep(runs[caller] ?? aKeptBill(of), instead, FIXTURE_TIME + 2),
          );
          expect(answers.filter((isKept) => isKept)).toHaveLength(1);
          expect(await list(of.day, of.day)).toStrictEqual([runs[answers.indexOf(true)]]);
        }
      });

      it("change nothing if another run was kept since the caller read the bill", async () => {
        const early = await kept();
        const late = await read({ asOf: FIXTURE_TIME + 1 });
        for (const instead of [undefined, "other"])
          expect(await expectOk(store().keep(late, instead, FIXTURE_TIME + 2))).toBe(false);
        expect(await list()).toStrictEqual([early]);
        expect(await expectOk(store().keep(late, early.runId, FIXTURE_TIME + 2))).toBe(true);
        expect(await list()).toStrictEqual([late]);
      });
    });

    describe("missingLines", () => {
      const missing = (run: KeptBill, earlier: KeptBill, limit = 100) =>
        expectOk(store().missingLines(run.runId, earlier.runId, limit));
      const one = { kind: "refund", outTradeNo: "o-1", refundNo: "r-1" } as const;

      it("returns nothing if the run has every line, in any order and with other amounts", async () => {
        const { refundNo: _none, ...payment } = lineAt(2, { outTradeNo: "o-1", amount: 600 });
        const earlier = await kept({}, [lineAt(1, { ...one, amount: 200 }), payment]);
        const lines = [
          lineAt(1),
          { ...payment, position: 2, amount: 7 },
          lineAt(3, { ...one, state: "OPEN" }),
        ];
        const run = await read({ asOf: FIXTURE_TIME + 1 }, lines);
        expect(await missing(run, earlier)).toEqual([]);
        expect(await missing(run, run)).toEqual([]);
        expect(await missing(run, await read())).toEqual([]);
      });

      it("returns the missing lines in their order, at most the limit", async () => {
        const lines = [
          lineAt(1, { outTradeNo: "o-1" }),
          lineAt(2, { ...one, amount: 200 }),
          lineAt(3, { ...one, refundNo: "r-2", amount: 1 }),
          lineAt(4, { outTradeNo: "o-2", amount: 10_000_000_000 }),
        ];
        const earlier = await kept({}, lines.toReversed());
        const run = await read({ asOf: FIXTURE_TIME + 1 }, [lineAt(1, { outTradeNo: "o-1" })]);
        expect(await missing(run, earlier)).toEqual(lines.slice(1));
        expect(await missing(run, earlier, 2)).toEqual(lines.slice(1, 3));
        const empty = await read({ asOf: FIXTURE_TIME + 2 });
        expect(await missing(empty, earlier)).toEqual(lines);
      });

      it("counts equal lines", async () => {
        const twice = [lineAt(1, one), lineAt(2, one), lineAt(3, one)];
        const earlier = await kept({}, twice);
        const run = await read({ asOf: FIXTURE_TIME + 1 }, [lineAt(9, one)]);
        expect(await missing(run, earlier)).toEqual(twice.slice(1));
      });
    });

    describe("sharedRefunds", () => {
      const shared = (run: KeptBill, other: KeptBill, limit = 100) =>
        expectOk(store().sharedRefunds(run.runId, other.runId, limit));
      const one = { kind: "refund", outTradeNo: "o-1", refundNo: "r-1" } as const;

      it("returns the refunds that both runs have, with the lines of the other run, at most the limit", async () => {
        const lines = [
          lineAt(1, { outTradeNo: "o-1" }),
          lineAt(2, { ...one, amount: 200, bizNo: UNUSUAL_TEXT }),
          lineAt(3, { ...one, refundNo: "r-2", amount: 1 }),
          lineAt(4, { ...one, outTradeNo: "o-2", amount: 3 }),
          lineAt(5, { ...one, refundNo: "r-3", amount: 10_000_000_000 }),
        ];
        const other = await kept({}, lines.toReversed());
        const run = await read({ day: "2026-01-16", asOf: FIXTURE_TIME + 1 }, [
          lineAt(1, { outTradeNo: "o-1" }),
          lineAt(2, { ...one, refundNo: "r-3", amount: 7 }),
          lineAt(3, { ...one, state: "OPEN" }),
        ]);
        expect(await shared(run, other)).toStrictEqual([lines[1], lines[4]]);
        expect(await shared(run, other, 1)).toStrictEqual([lines[1]]);
        expect(await shared(await read(), other)).toEqual([]);
        expect(await shared(run, await read())).toEqual([]);
      });

      it("returns no refund without a number", async () => {
        const { refundNo: _none, ...unnumbered } = lineAt(1, { kind: "refund", outTradeNo: "" });
        const lines = [unnumbered, { ...unnumbered, position: 2, refundNo: "" }];
        const other = await kept({}, lines);
        expect(await shared(await read({ day: "2026-01-16" }, lines), other)).toEqual([]);
      });
    });

    describe("sums", () => {
      it("add up the lines of each run by app, with the signs of refunds", async () => {
        const refund = { kind: "refund", amount: 200, received: -190, fee: -1 } as const;
        const { appId: _app, ...foreign } = lineAt(4, { amount: 50, received: 50, fee: 0 });
        const { received: _received, fee: _fee, ...unpriced } = lineAt(5, { appId: "app_2", ...refund });
        const one = await kept({}, [
          lineAt(1, { amount: 600, received: 590, fee: 4 }),
          lineAt(2, refund),
          lineAt(3, { amount: 1, received: 1, fee: 0 }),
          foreign,
          unpriced,
        ]);
        const two = await kept({ day: "2026-01-16" }, [lineAt(1, { amount: 3, received: 3, fee: 1 })]);
        const found = await expectOk(store().sums([one.runId, two.runId, one.runId, "unknown"]));
        expect(found).toHaveLength(4);
        const { runId } = one;
        const none = { payments: 0, paymentAmount: 0, refunds: 0, refundAmount: 0, unpriced: 0 };
        for (const sums of [
          {
            ...none,
            runId,
            appId: "app_1",
            payments: 2,
            paymentAmount: 601,
            refunds: 1,
            refundAmount: 200,
            received: 401,
            fees: 3,
          },
          { ...none, runId, payments: 1, paymentAmount: 50, received: 50, fees: 0 },
          {
            ...none,
            runId,
            appId: "app_2",
            refunds: 1,
            refundAmount: 200,
            received: -200,
            fees: 0,
            unpriced: 1,
          },
          { ...none, runId: two.runId, appId: "app_1", payments: 1, paymentAmount: 3, received: 3, fees: 1 },
        ])
          expect(found).toContainEqual(sums);
        expect(await expectOk(store().sums([]))).toEqual([]);
      });
    });

    describe("remove", () => {
      const remove = (before: number, earlier: string, limit = 100) =>
        expectOk(store().remove({ before, day: earlier }, limit));

      it("removes the lines of runs that kept nothing and of replaced runs, after their time", async () => {
        const unfinished = await read({}, [lineAt(1)]);
        const replaced = await kept({ asOf: FIXTURE_TIME + 5 }, [lineAt(1), lineAt(2)]);
        const current = await read({ asOf: FIXTURE_TIME + 6 }, [lineAt(1)]);
        expect(await keep(current, FIXTURE_TIME + 10)).toBe(true);
        expect(await remove(FIXTURE_TIME, day)).toBe(0);
        expect(await remove(FIXTURE_TIME + 10, day)).toBe(1);
        expect(await page(unfinished.runId)).toEqual([]);
        expect(await page(replaced.runId)).toHaveLength(2);
        expect(await remove(FIXTURE_TIME + 11, day)).toBe(2);
        expect(await remove(FIXTURE_TIME + 11, day)).toBe(0);
        expect(await page(current.runId)).toHaveLength(1);
        expect(await list()).toStrictEqual([current]);
        expect(await keep(unfinished)).toBe(false);
      });

      it("removes the bills of earlier days, at most the limit, and no longer lists them", async () => {
        const lines = [1, 2, 3].map((position) => lineAt(position));
        const old = await kept({ day: "2026-01-14" }, lines);
        const current = await kept({}, lines);
        expect(await remove(0, day, 2)).toBe(2);
        expect(await list("2026-01-01", day)).toStrictEqual([current]);
        expect(await keep(old)).toBe(false);
        expect(await remove(0, day, 2)).toBe(1);
        expect(await remove(0, day, 2)).toBe(0);
        expect(await page(current.runId)).toEqual(lines);
      });

      it(`counts each line once in ${CONCURRENT_CALLERS} concurrent calls, and leaves no line`, async () => {
        // More lines than the first calls of all callers can remove together.
        const count = 15 * CONCURRENT_CALLERS;
        const lines = Array.from({ length: count }, (_, index) => lineAt(index + 1));
        for (const runId of ["run-1", "run-2"]) await read({ runId }, lines);
        const removed = await drained((limit) =>
          store().remove({ before: FIXTURE_TIME + 1, day: "2026-01-01" }, limit),
        );
        expect(removed).toBe(2 * count);
        expect([...(await page("run-1")), ...(await page("run-2"))]).toEqual([]);
      });
    });
  });
}
