import type { BillSettlementStore, Settlement, SettlementEntry, SettlementSide } from "@tillkit/core/ports";
import { frozen } from "../state/frozen.js";
import { compareText, type StoredSettlement, getOrCreate, type MemoryState } from "../state/memory-state.js";
import { runAtomically } from "../state/run-atomically.js";

/** Creates a `BillSettlementStore` in memory. */
export function memoryBillSettlementStore({
  billSettlements,
}: Pick<MemoryState, "billSettlements">): BillSettlementStore {
  const ofRun = (runId: string) => billSettlements.get(runId) ?? new Map<string, StoredSettlement>();
  const discard = (runId: string, numbers: readonly string[]): number => {
    const settlements = ofRun(runId);
    for (const number of numbers) settlements.delete(number);
    if (settlements.size === 0) billSettlements.delete(runId);
    return numbers.length;
  };
  return {
    stage: (runId, entries, at) =>
      runAtomically(() => {
        if (entries.length === 0) return;
        const run = getOrCreate(billSettlements, runId, () => new Map<string, StoredSettlement>());
        for (const entry of entries) {
          const before = run.get(entry.settlementNo);
          const settlement = frozen(added(before?.settlement ?? emptySettlement(entry), entry));
          run.set(entry.settlementNo, { settlement, at: before?.at ?? at });
        }
      }),
    page: (runId, after, limit) =>
      runAtomically(() =>
        Array.from(ofRun(runId).values(), ({ settlement }) => settlement)
          .filter(({ settlementNo }) => after === undefined || compareText(after, settlementNo) < 0)
          .sort((left, right) => compareText(left.settlementNo, right.settlementNo))
          .slice(0, limit),
      ),
    find: (runId, settlementNos) =>
      runAtomically(() =>
        [...new Set(settlementNos)].flatMap((number) => ofRun(runId).get(number)?.settlement ?? []),
      ),
    discard: (runId, limit) => runAtomically(() => discard(runId, [...ofRun(runId).keys()].slice(0, limit))),
    removeBefore: (before, limit) =>
      runAtomically(() => {
        let removed = 0;
        for (const [runId, settlements] of billSettlements) {
          const old = [...settlements].flatMap(([number, { at }]) => (at < before ? [number] : []));
          removed += discard(runId, old.slice(0, limit - removed));
        }
        return removed;
      }),
  };
}

const NOTHING: SettlementSide = { lines: 0, received: 0, fee: 0 };

function emptySettlement({ settlementNo }: SettlementEntry): Settlement {
  return { settlementNo, stated: NOTHING, moved: NOTHING, open: 0 };
}

function added(settlement: Settlement, { side, received, fee, open, ...entry }: SettlementEntry): Settlement {
  const { stated, moved } = settlement;
  const plus = ({ lines, ...sums }: SettlementSide): SettlementSide => ({
    lines: lines + 1,
    received: sums.received + received,
    fee: sums.fee + fee,
  });
  const outTradeNo = firstText(settlement.outTradeNo, entry.outTradeNo);
  const refundNo = firstText(settlement.refundNo, entry.refundNo);
  return {
    settlementNo: settlement.settlementNo,
    stated: side === "STATED" ? plus(stated) : stated,
    moved: side === "MOVED" ? plus(moved) : moved,
    open: settlement.open + (open ? 1 : 0),
    ...(outTradeNo === undefined ? {} : { outTradeNo }),
    ...(refundNo === undefined ? {} : { refundNo }),
  };
}

function firstText(left: string | undefined, right: string | undefined): string | undefined {
  return left === undefined || right === undefined
    ? (left ?? right)
    : compareText(left, right) <= 0
      ? left
      : right;
}
