import type { BillLine, BillLineKey, BillLineStore } from "@tillkit/core";
import { byText, type HeldBillLine, heldOr, keyText, type MemoryState } from "./memory-state.js";
import { step } from "./step.js";

/** Creates a `BillLineStore` in memory. */
export function memoryBillLineStore({ billLines }: Pick<MemoryState, "billLines">): BillLineStore {
  const ofRun = (runId: string) => billLines.get(runId) ?? new Map<string, HeldBillLine>();
  const discard = (runId: string, keys: readonly string[]): number => {
    const lines = ofRun(runId);
    for (const key of keys) lines.delete(key);
    if (lines.size === 0) billLines.delete(runId);
    return keys.length;
  };
  return {
    stage: (runId, lines, at) =>
      step(() => {
        if (lines.length === 0) return;
        const run = heldOr(billLines, runId, () => new Map<string, HeldBillLine>());
        for (const line of lines) {
          const key = keyOf(line);
          const before = run.get(key)?.line;
          run.set(key, { line: Object.freeze(before === undefined ? { ...line } : sum(before, line)), at });
        }
      }),
    page: (runId, after, limit) =>
      step(() =>
        Array.from(ofRun(runId).values(), ({ line }) => line)
          .filter((line) => after === undefined || inOrder(after, line) < 0)
          .sort(inOrder)
          .slice(0, limit),
      ),
    find: (runId, keys) =>
      step(() => {
        const run = ofRun(runId);
        return [...new Set(keys.map(keyOf))].flatMap((key) => run.get(key)?.line ?? []);
      }),
    discard: (runId, limit) => step(() => discard(runId, [...ofRun(runId).keys()].slice(0, limit))),
    removeBefore: (before, limit) =>
      step(() => {
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
  return keyText(kind, outTradeNo, refundNo);
}

function inOrder(left: BillLineKey, right: BillLineKey): number {
  return (
    byText(left.kind, right.kind) ||
    byText(left.outTradeNo, right.outTradeNo) ||
    byText(left.refundNo ?? "", right.refundNo ?? "")
  );
}
