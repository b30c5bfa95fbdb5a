import type { BillLine, BillLineKey, BillLineStore } from "@tillkit/core/ports";
import { describe, expect, it } from "vitest";
import {
  aBillLine,
  anId,
  FIXTURE_TIME,
  UNUSUAL_TEXT,
  CONCURRENT_CALLERS,
} from "../../../support/fixtures.js";
import { expectOk, type Opened, openBeforeEach, race } from "../../../support/open-before-each.js";
import { drained } from "../../../support/stores/drained.js";

/** Tests every requirement of `BillLineStore`. `open` returns an empty store for each test. */
export function billLineStoreContract(adapter: string, open: () => Promise<Opened<BillLineStore>>): void {
  describe(`BillLineStore contract: ${adapter}`, () => {
    const store = openBeforeEach(open);
    const harness = (lines: readonly BillLine[], runId = "run-1", at = FIXTURE_TIME) =>
      expectOk(store().stage(runId, lines, at));
    const page = (after?: BillLineKey, limit = 100, runId = "run-1") =>
      expectOk(store().page(runId, after, limit));
    const lineNo = (number: number) => aBillLine({ outTradeNo: `01LINE${String(number).padStart(20, "0")}` });

    describe("stage and page", () => {
      it("store every member exactly, and keep absent members absent", async () => {
        const payment = aBillLine({ amount: 10_000_000_000, walletTradeNo: UNUSUAL_TEXT });
        const refund = aBillLine({ kind: "refund", refundNo: anId(), state: "OPEN" });
        const unnumbered = aBillLine({ kind: "refund" });
        await harness([refund, payment, unnumbered]);
        const lines = await page();
        expect(lines).toHaveLength(3);
        for (const line of [payment, refund, unnumbered]) expect(lines).toContainEqual(line);
        expect(lines.find(({ outTradeNo }) => outTradeNo === unnumbered.outTradeNo)).toStrictEqual(
          unnumbered,
        );
      });

      it("return pages in the order of the keys, payments first, for any order of staging", async () => {
        const payments = [1, 2, 3].map(lineNo);
        const refunds = ["a", "b"].map((refundNo) => ({ ...lineNo(0), kind: "refund" as const, refundNo }));
        const [one, two, three] = payments;
        const [a, b] = refunds;
        if (
          one === undefined ||
          two === undefined ||
          three === undefined ||
          a === undefined ||
          b === undefined
        )
          throw new Error("Five lines are needed.");
        await harness([b, three]);
        await harness([one, a, two]);
        expect(await page(undefined, 2)).toEqual([one, two]);
        expect(await page(two, 2)).toEqual([three, a]);
        expect(await page(a, 2)).toEqual([b]);
        expect(await page(b, 2)).toEqual([]);
      });

      it("add up lines with the same key, staged together or separately", async () => {
        const line = aBillLine({ kind: "refund", refundNo: "r-1", amount: 100 });
        await harness([line, { ...line, amount: 20, state: "OPEN" }]);
        await harness([{ ...line, amount: 3 }]);
        expect(await page()).toEqual([{ ...line, amount: 123, state: "OPEN" }]);
      });

      it("do not return lines of another run", async () => {
        const line = aBillLine();
        await harness([line], "run-1");
        await harness([{ ...line, amount: 7 }], "run-2");
        expect(await page()).toEqual([line]);
        expect(await page(undefined, 100, "run-2")).toEqual([{ ...line, amount: 7 }]);
        expect(await page(undefined, 100, "run-3")).toEqual([]);
      });

      it("accept an empty batch", async () => {
        await harness([]);
        expect(await page()).toEqual([]);
      });

      it(`lose none of ${CONCURRENT_CALLERS} batches staged concurrently`, async () => {
        const shared = aBillLine({ amount: 1 });
        await race(CONCURRENT_CALLERS, (caller) =>
          store().stage("run-1", [lineNo(caller), shared], FIXTURE_TIME),
        );
        const lines = await page();
        expect(lines).toHaveLength(CONCURRENT_CALLERS + 1);
        expect(lines).toContainEqual({ ...shared, amount: CONCURRENT_CALLERS });
      });
    });

    describe("find", () => {
      it("returns the lines of this run and kind with one of the keys", async () => {
        const line = aBillLine();
        const refund = { ...line, kind: "refund" as const, refundNo: "r-1" };
        await harness([line, refund, aBillLine()]);
        const other = aBillLine();
        await harness([other], "run-2");
        const find = (keys: readonly BillLineKey[]) => expectOk(store().find("run-1", keys));
        expect(await find([line, other, { ...refund, refundNo: "r-2" }])).toEqual([line]);
        expect(await find([refund, refund])).toEqual([refund]);
        expect(await find([{ kind: "refund", outTradeNo: line.outTradeNo }])).toEqual([]);
        expect(await find([])).toEqual([]);
      });
    });

    describe("discard", () => {
      it("removes the run's lines, at most the limit per call", async () => {
        await harness([1, 2, 3].map(lineNo));
        const kept = lineNo(1);
        await harness([kept], "run-2");
        expect(await expectOk(store().discard("run-1", 2))).toBe(2);
        expect(await expectOk(store().discard("run-1", 2))).toBe(1);
        expect(await expectOk(store().discard("run-1", 2))).toBe(0);
        expect(await page(undefined, 100, "run-2")).toEqual([kept]);
      });

      it(`counts each line once in ${CONCURRENT_CALLERS} concurrent calls`, async () => {
        await harness(Array.from({ length: 2 * CONCURRENT_CALLERS }, (_, index) => lineNo(index)));
        expect(await drained((limit) => store().discard("run-1", limit))).toBe(2 * CONCURRENT_CALLERS);
      });
    });

    describe("removeBefore", () => {
      it("removes the lines of any run that were staged before the time, and returns how many", async () => {
        await harness([lineNo(1)], "run-1", FIXTURE_TIME - 2);
        await harness([lineNo(2)], "run-2", FIXTURE_TIME - 1);
        await harness([lineNo(3)], "run-2", FIXTURE_TIME);
        expect(await expectOk(store().removeBefore(FIXTURE_TIME, 100))).toBe(2);
        expect(await expectOk(store().removeBefore(FIXTURE_TIME, 100))).toBe(0);
        expect(await page(undefined, 100, "run-2")).toHaveLength(1);
      });

      it("removes at most the limit", async () => {
        await harness([1, 2, 3].map(lineNo), "run-1", FIXTURE_TIME - 1);
        expect(await expectOk(store().removeBefore(FIXTURE_TIME, 2))).toBe(2);
        expect(await expectOk(store().removeBefore(FIXTURE_TIME, 2))).toBe(1);
      });

      it(`counts each line once in ${CONCURRENT_CALLERS} concurrent calls`, async () => {
        await race(CONCURRENT_CALLERS, (caller) =>
          store().stage(`run-${String(caller % 5)}`, [lineNo(caller)], FIXTURE_TIME - 1 - caller),
        );
        expect(await drained((limit) => store().removeBefore(FIXTURE_TIME, limit))).toBe(CONCURRENT_CALLERS);
      });
    });
  });
}
