import type { Bill, KeptBillLine, KeptBillStore, KeptBillSums } from "@tillkit/core/ports";
import { frozen } from "../state/frozen.js";
import { billKey, compareBills } from "./bill-key.js";
import type { MemoryState, StoredBillRun } from "../state/memory-state.js";
import { runAtomically } from "../state/run-atomically.js";

/** Creates a `KeptBillStore` in memory. */
export function memoryKeptBillStore({ billRuns }: Pick<MemoryState, "billRuns">): KeptBillStore {
  const linesOf = (runId: string): readonly KeptBillLine[] => [
    ...(billRuns.get(runId)?.lines.values() ?? []),
  ];
  const keptOf = (bill: Bill): StoredBillRun | undefined =>
    [...billRuns.values()].find((run) => run.kept !== undefined && billKey(run.bill) === billKey(bill));
  return {
    begin: (runId, bill, asOf) =>
      runAtomically(() => {
        if (!billRuns.has(runId))
          billRuns.set(runId, { bill, asOf, at: asOf, lines: new Map(), kept: undefined, isRemoved: false });
      }),
    add: (runId, lines) =>
      runAtomically(() => {
        const run = billRuns.get(runId);
        if (run === undefined) return;
        for (const line of lines)
          if (!run.lines.has(line.position)) run.lines.set(line.position, frozen(line));
      }),
    keep: (bill, instead, at) =>
      runAtomically(() => {
        const run = billRuns.get(bill.runId);
        if (run === undefined || run.isRemoved) return false;
        const before = keptOf(bill);
        if (before === run) return true;
        if (before?.kept?.runId !== instead) return false;
        if (before !== undefined && before.asOf > run.asOf) return false;
        if (before !== undefined) {
          before.kept = undefined;
          before.at = at;
        }
        run.kept = frozen(bill);
        return true;
      }),
    missingLines: (runId, earlier, limit) =>
      runAtomically(() => {
        const counts = new Map<string, number>();
        for (const line of linesOf(runId)) counts.set(lineKey(line), (counts.get(lineKey(line)) ?? 0) + 1);
        return linesOf(earlier)
          .toSorted((left, right) => left.position - right.position)
          .filter((line) => {
            const left = (counts.get(lineKey(line)) ?? 0) - 1;
            counts.set(lineKey(line), left);
            return left < 0;
          })
          .slice(0, limit);
      }),
    sharedRefunds: (runId, other, limit) =>
      runAtomically(() => {
        const mine = new Set(linesOf(runId).map(lineKey));
        return linesOf(other)
          .filter(({ kind, refundNo = "" }) => kind === "refund" && refundNo !== "")
          .filter((line) => mine.has(lineKey(line)))
          .toSorted((left, right) => left.position - right.position)
          .slice(0, limit);
      }),
    list: (from, until) =>
      runAtomically(() =>
        [...billRuns.values()]
          .flatMap(({ kept }) => (kept === undefined || kept.day < from || kept.day > until ? [] : [kept]))
          .sort(compareBills),
      ),
    sums: (runIds) => runAtomically(() => [...new Set(runIds)].flatMap((id) => sumsOf(id, linesOf(id)))),
    page: (runId, after, limit) =>
      runAtomically(() =>
        linesOf(runId)
          .filter(({ position }) => position > after)
          .sort((left, right) => left.position - right.position)
          .slice(0, limit),
      ),
    remove: ({ before, day }, limit) =>
      runAtomically(() => {
        let removed = 0;
        for (const [runId, run] of billRuns) {
          run.isRemoved ||= run.kept === undefined ? run.at < before : run.bill.day < day;
          if (!run.isRemoved) continue;
          run.kept = undefined;
          for (const position of [...run.lines.keys()].slice(0, limit - removed)) {
            run.lines.delete(position);
            removed += 1;
          }
          if (run.lines.size === 0) billRuns.delete(runId);
        }
        return removed;
      }),
  };
}

function lineKey({ kind, outTradeNo, refundNo = "" }: KeptBillLine): string {
  return JSON.stringify([kind, outTradeNo, refundNo]);
}

function sumsOf(runId: string, lines: readonly KeptBillLine[]): readonly KeptBillSums[] {
  const byApp = new Map<string | undefined, KeptBillSums>();
  for (const { kind, amount, appId, received, fee } of lines) {
    const sums = byApp.get(appId) ?? {
      runId,
      ...(appId === undefined ? {} : { appId }),
      payments: 0,
      paymentAmount: 0,
      refunds: 0,
      refundAmount: 0,
      received: 0,
      fees: 0,
      unpriced: 0,
    };
    const isPayment = kind === "payment";
    byApp.set(appId, {
      ...sums,
      payments: sums.payments + (isPayment ? 1 : 0),
      paymentAmount: sums.paymentAmount + (isPayment ? amount : 0),
      refunds: sums.refunds + (isPayment ? 0 : 1),
      refundAmount: sums.refundAmount + (isPayment ? 0 : amount),
      received: sums.received + (received ?? (isPayment ? amount : -amount)),
      fees: sums.fees + (fee ?? 0),
      unpriced: sums.unpriced + (fee === undefined ? 1 : 0),
    });
  }
  return [...byApp.values()];
}
