import { ok, type ResultAsync } from "neverthrow";
import type { StorageFailure } from "../errors/failure.js";
import type { Ports } from "../ports.js";
import { attempt } from "../shared/attempt.js";
import { daysAfter } from "../shared/date.js";
import { billExceptionId, type FoundException } from "./bill-exception.js";
import { type Bill, isSameBilledMerchant } from "./bill.js";
import { billDay } from "./bill-day.js";
import type { BillRun } from "./compare-bill.js";
import { sameNet } from "./compare-settlement.js";
import { dayException } from "./compare-settlements.js";
import type { KeptBill, KeptBillLine } from "./kept-bill-store.js";

/** The ports that {@link keepBill} uses. */
export type KeepBillPorts = Pick<
  Ports,
  "keptBills" | "billSettlements" | "billExceptions" | "digest" | "clock"
>;

/**
 * Keeps the lines of a run for the accounting reports, unless the bill has lost lines.
 *
 * A wallet can omit a line when it provides the bill of a day again. Then the lines of the earlier
 * run stay, and an exception names the missing lines. A line does not count as missing if the
 * fund-flow bill has no movement for it: the wallet has corrected its bill. If an operator closes
 * the exception as `not-ours`, the next run keeps the bill without the missing lines.
 *
 * A refund near midnight can move from the bill of one day to the bill of the next day. It then
 * does not count as missing from the first bill. If the kept first bill still has the refund, an
 * exception reports that the first bill must be compared again. Otherwise the reports would count
 * the refund twice.
 *
 * @param isFlowRead - Whether the movements of the fund-flow bill are staged.
 * @param take - Receives each exception.
 */
export function keepBill(
  ports: KeepBillPorts,
  run: Pick<BillRun, "bill" | "asOf">,
  bill: KeptBill,
  isFlowRead: boolean,
  take: (exception: FoundException) => ResultAsync<void, StorageFailure>,
): ResultAsync<void, StorageFailure> {
  return attempt(async () => {
    const { asOf, day } = bill;
    let lastTry: { readonly instead: string | undefined } | undefined;
    for (;;) {
      const bills = await ports.keptBills.list(day, day);
      if (bills.isErr()) return bills;
      const earlier = bills.value.find((one) => isSameBilledMerchant(one, bill));
      const instead = earlier?.runId;
      // A later run has kept the bill, or housekeeping has removed the lines of this run.
      const isLate = earlier !== undefined && earlier.asOf > asOf;
      if (isLate || (lastTry !== undefined && lastTry.instead === instead)) return ok(undefined);
      if (earlier !== undefined) {
        const missing = await missingLines(ports, bill, earlier.runId, isFlowRead);
        if (missing.isErr()) return missing;
        const [first] = missing.value;
        if (first !== undefined) {
          const exception = missingException(ports, run, first, missing.value);
          const taken = await take(exception);
          if (taken.isErr()) return taken;
          const current = await ports.billExceptions.find(exception.id);
          if (current.isErr()) return current;
          const { state, remedy } = current.value ?? {};
          if (state !== "RESOLVED" || remedy !== "not-ours") return ok(undefined);
        }
      }
      // Reported first, so that the exception exists if this process dies after the bill is kept.
      const reported = await reportMoved(ports, bill, take);
      if (reported.isErr()) return reported;
      const kept = await ports.keptBills.keep(bill, instead, ports.clock.now());
      if (kept.isErr()) return kept;
      if (kept.value) return ok(undefined);
      // Another run kept the bill meanwhile.
      lastTry = { instead };
    }
  });
}

/** The largest number of missing lines that are examined. A corrected bill lacks no more lines. */
const MOST_LINES = 1_000;

/** Returns the lines of an earlier run that this run lacks, although their money moved. */
function missingLines(
  { keptBills, billSettlements }: KeepBillPorts,
  { runId, ...bill }: KeptBill,
  earlier: string,
  isFlowRead: boolean,
): ResultAsync<readonly KeptBillLine[], StorageFailure> {
  return attempt(async () => {
    const missing = await keptBills.missingLines(runId, earlier, MOST_LINES + 1);
    if (missing.isErr()) return missing;
    if (missing.value.length > MOST_LINES) return ok(missing.value.slice(0, MOST_LINES));
    if (missing.value.length === 0) return missing;
    const next = await keptOn(keptBills, bill, 1);
    if (next.isErr()) return next;
    const refunds = next.value
      ? await keptBills.sharedRefunds(next.value.runId, earlier, MOST_LINES)
      : ok<readonly KeptBillLine[]>([]);
    if (refunds.isErr()) return refunds;
    const movedAt = new Set(refunds.value.map(({ position }) => position));
    const lines = missing.value.filter(({ position }) => !movedAt.has(position));
    if (!isFlowRead || lines.length === 0) return ok(lines);
    const numbers = lines.flatMap(({ settlementNo }) => settlementNo ?? []);
    const settlements = await billSettlements.find(runId, numbers);
    if (settlements.isErr()) return settlements;
    // Another line can have the same settlement number, and explain the movement.
    const differing = settlements.value.filter((one) => one.moved.lines > 0 && !sameNet(one));
    const missingNumbers = new Set(differing.map(({ settlementNo }) => settlementNo));
    return ok(lines.filter(({ settlementNo: number }) => number === undefined || missingNumbers.has(number)));
  });
}

/**
 * Reports the refunds of a bill that the kept bill of the day before lists too.
 *
 * Reports nothing if the bill of the day before was read after the end of this day. That bill is
 * then the wallet's latest statement about both days.
 */
function reportMoved(
  ports: KeepBillPorts,
  { runId, asOf, ...bill }: KeptBill,
  take: (exception: FoundException) => ResultAsync<void, StorageFailure>,
): ResultAsync<void, StorageFailure> {
  return attempt(async () => {
    const before = await keptOn(ports.keptBills, bill, -1);
    if (before.isErr()) return before;
    if (before.value === undefined || before.value.asOf >= billDay(bill.day).endsAt) return ok(undefined);
    const lines = await ports.keptBills.sharedRefunds(runId, before.value.runId, MOST_LINES);
    if (lines.isErr()) return lines;
    const [first] = lines.value;
    if (first === undefined) return ok(undefined);
    const { day, payChannel, appEnv, accountId } = before.value;
    const run = { bill: { day, payChannel, appEnv, accountId }, asOf };
    return take(missingException(ports, run, first, lines.value));
  });
}

/** Returns the kept bill of the same account, `days` days later. */
function keptOn(
  keptBills: KeepBillPorts["keptBills"],
  bill: Bill,
  days: number,
): ResultAsync<KeptBill | undefined, StorageFailure> {
  const day = daysAfter(bill.day, days);
  return keptBills.list(day, day).map((bills) => bills.find((one) => isSameBilledMerchant(one, bill)));
}

/** Creates the exception of a missing line, or of several lines of the day. */
function missingException(
  ports: Pick<Ports, "digest" | "clock">,
  run: Pick<BillRun, "bill" | "asOf">,
  first: KeptBillLine,
  lines: readonly KeptBillLine[],
): FoundException {
  if (lines.length > 1) {
    const amounts = lines.map(({ kind, amount }) => (kind === "payment" ? amount : -amount));
    const amountHere = amounts.reduce((sum, cents) => sum + cents, 0);
    // A decision about these lines must not count for other lines with the same sum.
    const keys = lines.map(({ kind: one, outTradeNo, refundNo }) => [one, outTradeNo, refundNo ?? ""].join());
    const about = ports.digest.sha256(keys.toSorted().join("\n"));
    return dayException(ports, run, "LINE_MISSING", { amountThere: 0, amountHere }, about);
  }
  const { bill, asOf } = run;
  const { outTradeNo, refundNo, walletTradeNo, appId, bizNo } = first;
  const numbers = { outTradeNo, ...(refundNo === undefined ? {} : { refundNo }) };
  const identity = { ...bill, kind: "LINE_MISSING", ...numbers, mark: bill.day } as const;
  return {
    ...bill,
    ...numbers,
    kind: "LINE_MISSING",
    id: billExceptionId(ports.digest, identity),
    walletTradeNo,
    amountHere: first.amount,
    ...(appId === undefined || bizNo === undefined ? {} : { order: { appId, bizNo } }),
    asOf,
    at: ports.clock.now(),
  };
}
