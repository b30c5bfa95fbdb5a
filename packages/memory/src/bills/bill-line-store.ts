import type { BillLine, BillLineKey, BillLineStore } from "@tillkit/core/ports";
import {
  compareText,
  type StoredBillLine,
  getOrCreate,
  compositeKey,
  type MemoryState,
} from "../state/memory-state.js";
import { runAtomically } from "../state/run-atomically.js";

/** Creates a `BillLineStore` in memory. */
export function memoryBillLineStore({ billLines }: Pick<MemoryState, "billLines">): BillLineStore {
  const ofRun = (runId: string) => billLines.get(runId) ?? new Map<string, StoredBillLine>();
  const discard = (runId: string, keys: readonly string[]): number => {
    const lines = ofRun(runId);
    for (const key of keys) lines.delete(key);
    if (lines.size === 0) billLines.delete(runId);
    return keys.length;
  };
  return {
    stage: (runId, lines, at) =>
      runAtomically(() => {
        if (lines.length === 0) return;
        const run = getOrCreate(billLines, runId, () => new Map<string, StoredBillLine>());
        for (const line of lines) {
          const key = keyOf(line);
          const before = run.get(key)?.line;
          run.set(key, { line: Object.freeze(before === undefined ? { ...line } : sum(before, line)), at });
        }
      }),
    page: (runId, after, limit) =>
      runAtomically(() =>
        Array.from(ofRun(runId).values(), ({ line }) => line)
          .filter((line) => after === undefined || inOrder(after, line) < 0)
          .sort(inOrder)
          .slice(0, limit),
      ),
    find: (runId, keys) =>
      runAtomically(() => {
        const run = ofRun(runId);
        return [...new Set(keys.map(keyOf))].flatMap((key) => run.get(key)?.line ?? []);
      }),
    discard: (runId, limit) => runAtomically(() => discard(runId, [...ofRun(runId).keys()].slice(0, limit))),
    removeBefore: (before, limit) =>
      runAtomically(() => {
        let removed = 0;
        for (const [runId, lines] of billLines) {
          const old = [...lines].flatMap(([key, { at }]) => (at < before ? [key] : []));
          removed += discard(runId, old.slice(0, limit - removed));
        }
        return removed;
      }),
  };
}

function sum(left: BillLine, right: BillLine): BillLine {
  const state = left.state === "OPEN" ? left.state : right.state;
  return { ...left, amount: left.amount + right.amount, state };
}

function keyOf({ kind, outTradeNo, refundNo = "" }: BillLineKey): string {
  return compositeKey(kind, outTradeNo, refundNo);
}

function inOrder(left: BillLineKey, right: BillLineKey): number {
  return (
    compareText(left.kind, right.kind) ||
    compareText(left.outTradeNo, right.outTradeNo) ||
    compareText(left.refundNo ?? "", right.refundNo ?? "")
  );
}
