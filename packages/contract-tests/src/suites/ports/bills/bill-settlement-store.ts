import type { BillSettlementStore, Settlement, SettlementEntry } from "@tillkit/core/ports";
import { describe, expect, it } from "vitest";
import {
  anId,
  aSettlementEntry,
  FIXTURE_TIME,
  UNUSUAL_TEXT,
  CONCURRENT_CALLERS,
} from "../../../support/fixtures.js";
import { expectOk, type Opened, openBeforeEach, race } from "../../../support/open-before-each.js";
import { drained } from "../../../support/stores/drained.js";

/** Tests all requirements of `BillSettlementStore`. `open` returns an empty store for each test. */
export function billSettlementStoreContract(
  adapter: string,
  open: () => Promise<Opened<BillSettlementStore>>,
): void {
  describe(`BillSettlementStore contract: ${adapter}`, () => {
    const store = openBeforeEach(open);
    const harness = (entries: readonly SettlementEntry[], runId = "run-1", at = FIXTURE_TIME) =>
      expectOk(store().stage(runId, entries, at));
    const page = (after?: string, limit = 100, runId = "run-1") =>
      expectOk(store().page(runId, after, limit));
    const entryNo = (number: number) =>
      aSettlementEntry({ settlementNo: `42${String(number).padStart(26, "0")}` });

    describe("stage and page", () => {
      it("keep the stated and the moved amounts separate, and absent members absent", async () => {
        const [outTradeNo, refundNo] = [anId(), UNUSUAL_TEXT];
        await harness([
          aSettlementEntry({ settlementNo: "1", received: 10_000_000_000, fee: 7, outTradeNo }),
          aSettlementEntry({ settlementNo: "2", side: "MOVED", received: -5, fee: -1, outTradeNo, refundNo }),
          { settlementNo: "3", side: "STATED", received: -9, fee: 0, open: true },
        ]);
        const none = { lines: 0, received: 0, fee: 0 };
        expect(await page()).toStrictEqual<readonly Settlement[]>([
          {
            settlementNo: "1",
            stated: { lines: 1, received: 10_000_000_000, fee: 7 },
            moved: none,
            open: 0,
            outTradeNo,
          },
          {
            settlementNo: "2",
            stated: none,
            moved: { lines: 1, received: -5, fee: -1 },
            open: 0,
            outTradeNo,
            refundNo,
          },
          { settlementNo: "3", stated: { lines: 1, received: -9, fee: 0 }, moved: none, open: 1 },
        ]);
      });

      it("add up entries with the same number, staged together or separately, and keep the order and refund number that sort first", async () => {
        const entry = aSettlementEntry({ settlementNo: "7", received: 100, fee: 3, outTradeNo: "b" });
        const { outTradeNo: _none, ...unnamed } = entry;
        const fee = { ...unnamed, side: "MOVED", received: 0, fee: 3 } as const;
        await harness([{ ...entry, refundNo: "r-2" }, fee, { ...entry, outTradeNo: "a", open: true }]);
        await harness([{ ...unnamed, side: "MOVED", received: 200, refundNo: "r-1", fee: 0 }, fee]);
        expect(await page()).toStrictEqual<readonly Settlement[]>([
          {
            settlementNo: "7",
            stated: { lines: 2, received: 200, fee: 6 },
            moved: { lines: 3, received: 200, fee: 6 },
            open: 1,
            outTradeNo: "a",
            refundNo: "r-1",
          },
        ]);
      });

      it("find the settlements of one run by their numbers", async () => {
        const entries = [1, 2, 3].map(entryNo);
        const [first, , third] = entries;
        await harness(entries);
        await harness([entryNo(4)], "run-2");
        const numbers = [first, third, entryNo(4), first].map((one) => one?.settlementNo ?? "");
        const found = await expectOk(store().find("run-1", numbers));
        expect(found).toHaveLength(2);
        for (const one of (await page()).filter(({ settlementNo }) => numbers.includes(settlementNo)))
          expect(found).toContainEqual(one);
        expect(await expectOk(store().find("run-1", []))).toEqual([]);
      });

      it("return pages in the order of the numbers, for any order of staging", async () => {
        const entries = [1, 2, 3, 4].map(entryNo);
        await harness(entries.slice(2));
        await harness(entries.slice(0, 2).toReversed());
        const numbers = entries.map(({ settlementNo }) => settlementNo);
        const of = async (after?: string, limit = 3) =>
          (await page(after, limit)).map(({ settlementNo }) => settlementNo);
        expect(await of()).toEqual(numbers.slice(0, 3));
        expect(await of(numbers[2])).toEqual(numbers.slice(3));
        expect(await of(numbers[3])).toEqual([]);
      });

      it("do not return settlements of another run", async () => {
        const entry = aSettlementEntry();
        await harness([entry], "run-1");
        await harness([{ ...entry, received: 1 }], "run-2");
        expect(await page()).toMatchObject([{ stated: { received: entry.received } }]);
        expect(await page(undefined, 100, "run-2")).toMatchObject([{ stated: { received: 1 } }]);
        expect(await page(undefined, 100, "run-3")).toEqual([]);
      });

      it("accept an empty batch", async () => {
        await harness([]);
        expect(await page()).toEqual([]);
      });

      it(`lose none of ${CONCURRENT_CALLERS} batches staged concurrently`, async () => {
        const [shared, other] = [entryNo(900), entryNo(901)];
        await race(CONCURRENT_CALLERS, (caller) => {
          const both = [
            { ...shared, received: 1, fee: 0 },
            { ...other, side: "MOVED", received: 0, fee: 1 },
          ] as const;
          return store().stage(
            "run-1",
            [...(caller % 2 === 0 ? both : both.toReversed()), entryNo(caller)],
            FIXTURE_TIME,
          );
        });
        const settlements = await page(undefined, CONCURRENT_CALLERS + 2);
        expect(settlements).toHaveLength(CONCURRENT_CALLERS + 2);
        expect(settlements.find(({ settlementNo }) => settlementNo === shared.settlementNo)).toMatchObject({
          stated: { lines: CONCURRENT_CALLERS, received: CONCURRENT_CALLERS },
          moved: { lines: 0 },
        });
        expect(settlements.find(({ settlementNo }) => settlementNo === other.settlementNo)).toMatchObject({
          moved: { lines: CONCURRENT_CALLERS, fee: CONCURRENT_CALLERS },
        });
      });
    });

    describe("discard", () => {
      it("removes the settlements of the run, at most the limit, and returns how many", async () => {
        await harness([1, 2, 3].map(entryNo));
        await harness([entryNo(4)], "run-2");
        expect(await expectOk(store().discard("run-1", 2))).toBe(2);
        expect(await expectOk(store().discard("run-1", 2))).toBe(1);
        expect(await expectOk(store().discard("run-1", 2))).toBe(0);
        expect(await page(undefined, 100, "run-2")).toHaveLength(1);
      });

      it(`counts each settlement once in ${CONCURRENT_CALLERS} concurrent calls`, async () => {
        await harness(Array.from({ length: 2 * CONCURRENT_CALLERS }, (_, index) => entryNo(index)));
        expect(await drained((limit) => store().discard("run-1", limit))).toBe(2 * CONCURRENT_CALLERS);
      });
    });

    describe("removeBefore", () => {
      it("removes the settlements of any run that were first staged before the time, and returns how many", async () => {
        const again = entryNo(1);
        await harness([again], "run-1", FIXTURE_TIME - 2);
        await harness([again], "run-1", FIXTURE_TIME + 5);
        await harness([entryNo(2)], "run-2", FIXTURE_TIME - 1);
        await harness([entryNo(3)], "run-2", FIXTURE_TIME);
        expect(await expectOk(store().removeBefore(FIXTURE_TIME, 1))).toBe(1);
        expect(await expectOk(store().removeBefore(FIXTURE_TIME, 100))).toBe(1);
        expect(await expectOk(store().removeBefore(FIXTURE_TIME, 100))).toBe(0);
        expect(await page()).toEqual([]);
        expect(await page(undefined, 100, "run-2")).toHaveLength(1);
      });

      it(`counts each settlement once in ${CONCURRENT_CALLERS} concurrent calls`, async () => {
        await race(CONCURRENT_CALLERS, (caller) =>
          store().stage(`run-${String(caller % 5)}`, [entryNo(caller)], FIXTURE_TIME - 1 - caller),
        );
        expect(await drained((limit) => store().removeBefore(FIXTURE_TIME, limit))).toBe(CONCURRENT_CALLERS);
      });
    });
  });
}
