import { ok, type ResultAsync } from "neverthrow";
import type { StorageFailure } from "../errors/failure.js";
import type { Ports } from "../ports.js";
import { attempt } from "../shared/attempt.js";
import { billExceptionId, type FoundException } from "./bill-exception.js";
import { isSameMerchant } from "./bill.js";
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
 * Keeps the lines of a run for the accounts, unless the bill has lost lines.
 *
 * A wallet can omit a line when it provides the bill of a day again. The lines that are kept then
 * stay, and an exception names what is missing. A line of which the fund-flow bill has no movement
 * is not missing: the wallet has corrected its bill. If an operator closes the exception as
 * `not-ours`, the wallet was right as well: the next run keeps the bill without the lines.
 *
 * @param isFlowRead - Whether the movements of the fund-flow bill are staged.
 * @param take - Receives the exception.
 */
export function keepBill(
  ports: KeepBillPorts,
  run: Pick<BillRun, "bill" | "asOf">,
  bill: KeptBill,
  isFlowRead: boolean,
  take: (found: FoundException) => ResultAsync<void, StorageFailure>,
): ResultAsync<void, StorageFailure> {
  return attempt(async () => {
    const { runId, asOf, day } = bill;
    let tried: { readonly instead: string | undefined } | undefined;
    for (;;) {
      const listed = await ports.keptBills.list(day, day);
      if (listed.isErr()) return listed;
      const earlier = listed.value.find((one) => isSameMerchant(one, bill));
      const instead = earlier?.runId;
      // A later run has kept the bill, or housekeeping has removed the lines of this one.
      const isLate = earlier !== undefined && earlier.asOf > asOf;
      if (isLate || (tried !== undefined && tried.instead === instead)) return ok(undefined);
      if (earlier !== undefined) {
        const missing = await missingLines(ports, runId, earlier.runId, isFlowRead);
        if (missing.isErr()) return missing;
        const [first] = missing.value;
        if (first !== undefined) {
          const found = missingException(ports, run, first, missing.value);
          const taken = await take(found);
          if (taken.isErr()) return taken;
          const stored = await ports.billExceptions.find(found.id);
          if (stored.isErr()) return stored;
          const { state, remedy } = stored.value ?? {};
          if (state !== "RESOLVED" || remedy !== "not-ours") return ok(undefined);
        }
      }
      const kept = await ports.keptBills.keep(bill, instead, ports.clock.now());
      if (kept.isErr()) return kept;
      if (kept.value) return ok(undefined);
      // Another run kept the bill meanwhile.
      tried = { instead };
    }
  });
}

/** The number of missing lines that are looked up. A corrected bill does not lack more. */
const MOST_LINES = 1_000;

/** Returns the lines of an earlier run that the run lacks, although their money moved. */
function missingLines(
  { keptBills, billSettlements }: KeepBillPorts,
  runId: string,
  earlier: string,
  isFlowRead: boolean,
): ResultAsync<readonly KeptBillLine[], StorageFailure> {
  return attempt(async () => {
    const missing = await keptBills.missingLines(runId, earlier, MOST_LINES);
    if (missing.isErr()) return missing;
    const lines = missing.value;
    if (!isFlowRead || lines.length === 0 || lines.length === MOST_LINES) return ok(lines);
    const numbers = lines.flatMap(({ settlementNo }) => settlementNo ?? []);
    const settlements = await billSettlements.find(runId, numbers);
    if (settlements.isErr()) return settlements;
    // Another line can have the number as well, and explain the movement.
    const unexplained = settlements.value.filter((one) => one.moved.lines > 0 && !sameNet(one));
    const missingNumbers = new Set(unexplained.map(({ settlementNo }) => settlementNo));
    return ok(lines.filter(({ settlementNo: number }) => number === undefined || missingNumbers.has(number)));
  });
}

/** Creates the exception of a missing line, or of several lines of the day. */
function missingException(
  ports: Pick<Ports, "digest" | "clock">,
  run: Pick<BillRun, "bill" | "asOf">,
  first: KeptBillLine,
  lines: readonly KeptBillLine[],
): FoundException {
  if (lines.length > 1) {
    const signed = lines.map(({ kind, amount }) => (kind === "payment" ? amount : -amount));
    const amountHere = signed.reduce((sum, cents) => sum + cents, 0);
    // A decision about these lines is no decision about others of the same sum.
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
