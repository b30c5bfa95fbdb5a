import { createHash } from "node:crypto";
import { okAsync } from "neverthrow";
import { describe, expect, it } from "vitest";
import { stub } from "../testing/stubs.js";
import { keepBill, type KeepBillPorts } from "./keep-bill.js";
import type { KeptBill, KeptBillLine } from "./kept-bill-store.js";
import { orThrow } from "../errors/or-throw.js";

const BILL = { payChannel: "WALLET_A", appEnv: "DEV", accountId: "19", day: "2026-01-15" } as const;
const billOf = (runId: string, asOf: number): KeptBill => ({ ...BILL, runId, asOf, lines: 1, unreadable: 0 });
const LINE: KeptBillLine = {
  position: 1,
  kind: "payment",
  outTradeNo: "o-1",
  amount: 600,
  state: "DONE",
  walletTradeNo: "42",
  settlementNo: "42",
};

/**
 * Keeps the bill of the run `mine`, and returns the calls of `keepBill`.
 *
 * @param earlier - The kept bill of the day, for each call of `list`.
 * @param answers - The answers of `keep`.
 * @param complete - The runs whose lines are all in `mine`.
 * @param dayBefore - The kept bill of the day before. It has a refund that `mine` has too.
 */
async function keeping(
  earlier: readonly (KeptBill | undefined)[],
  answers: readonly boolean[],
  complete: readonly string[] = [],
  {
    missing = 1,
    flow,
    dayBefore,
  }: {
    readonly missing?: number;
    readonly flow?: "moved" | "stated" | "none";
    readonly dayBefore?: KeptBill;
  } = {},
) {
  const none = { lines: 0, received: 0, fee: 0 };
  const paid = { lines: 1, received: 600, fee: 4 };
  const [stated, moved] = [flow === "stated" ? paid : none, flow === "none" ? none : paid];
  const [left, results] = [[...earlier], [...answers]];
  const mine = billOf("mine", 5);
  const calls: string[] = [];
  const ports: KeepBillPorts = {
    keptBills: stub({
      list: (day) => {
        const now = day === BILL.day ? left.shift() : day < BILL.day ? dayBefore : undefined;
        return okAsync(now === undefined ? [] : [{ ...now, accountId: "other" }, now]);
      },
      missingLines: (_run, runId, limit) =>
        okAsync(complete.includes(runId) ? [] : Array.from({ length: Math.min(missing, limit) }, () => LINE)),
      sharedRefunds: () => okAsync([{ ...LINE, kind: "refund", refundNo: "r-1" }]),
      keep: (_bill, instead) => {
        calls.push(`keep instead of ${instead ?? "none"}`);
        return okAsync(results.shift() ?? false);
      },
    }),
    billSettlements: stub({
      find: (_run, numbers) =>
        okAsync(numbers.map((settlementNo) => ({ settlementNo, stated, moved, open: 0 }))),
    }),
    billExceptions: stub({ find: () => okAsync(undefined) }),
    digest: stub({ sha256: (text) => createHash("sha256").update(text).digest("hex") }),
    clock: { now: () => 7, sleep: async () => undefined },
  };
  const kept = await keepBill(
    ports,
    { bill: BILL, asOf: 5 },
    mine,
    flow !== undefined,
    ({ kind, outTradeNo }) => {
      calls.push(`${kind} ${outTradeNo}`);
      return okAsync(undefined);
    },
  );
  orThrow(kept);
  return calls;
}

describe("keepBill", () => {
  const [one, two] = [billOf("one", 1), billOf("two", 2)];

  it("keeps the first reading of a bill, and a later one that has every line", async () => {
    expect(await keeping([undefined], [true])).toEqual(["keep instead of none"]);
    expect(await keeping([one], [true], ["one"])).toEqual(["keep instead of one"]);
  });

  it("reports a missing line, and does not replace the kept lines", async () => {
    expect(await keeping([one], [])).toEqual(["LINE_MISSING o-1"]);
  });

  it("reports a missing line without a movement only if more than 1 000 lines are missing", async () => {
    expect(await keeping([one], [true], [], { flow: "none" })).toEqual(["keep instead of one"]);
    expect(await keeping([one], [true], [], { flow: "stated" })).toEqual(["keep instead of one"]);
    expect(await keeping([one], [], [], { flow: "moved" })).toEqual(["LINE_MISSING o-1"]);
    expect(await keeping([one], [], [], { flow: "moved", missing: 2 })).toEqual(["LINE_MISSING "]);
    expect(await keeping([one], [true], [], { flow: "none", missing: 1_000 })).toEqual([
      "keep instead of one",
    ]);
    expect(await keeping([one], [], [], { flow: "none", missing: 1_001 })).toEqual(["LINE_MISSING "]);
  });

  it("compares again if another run keeps the bill meanwhile", async () => {
    expect(await keeping([undefined, one], [false])).toEqual(["keep instead of none", "LINE_MISSING o-1"]);
    expect(await keeping([one, two], [false, true], ["one", "two"])).toEqual([
      "keep instead of one",
      "keep instead of two",
    ]);
  });

  it("reports a refund that the bill of the day before has too, and then keeps the bill", async () => {
    const dayBefore = { ...billOf("before", 4), day: "2026-01-14" };
    expect(await keeping([undefined], [true], [], { dayBefore })).toEqual([
      "LINE_MISSING o-1",
      "keep instead of none",
    ]);
  });

  it("does not replace the bill of a later run", async () => {
    expect(await keeping([billOf("late", 6)], [])).toEqual([]);
  });

  it.each([undefined, one])("ends if housekeeping has removed the lines of the run", async (kept) => {
    expect(await keeping([kept, kept], [false], ["one"])).toEqual([
      `keep instead of ${kept?.runId ?? "none"}`,
    ]);
  });
});
