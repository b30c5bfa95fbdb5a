import { ok, type ResultAsync } from "neverthrow";
import type { StorageFailure } from "../errors/failure.js";
import type { Ports } from "../ports.js";
import { attempt } from "../shared/attempt.js";
import { billExceptionId, type FoundException } from "./bill-exception.js";
import { isSameMerchant } from "./bill.js";
import type { BillRun } from "./compare-bill.js";
import { dayException } from "./compare-settlements.js";
import type { KeptBill, MissingBillLines } from "./kept-bill-store.js";

/** The ports that {@link keepBill} uses. */
export type KeepBillPorts = Pick<Ports, "keptBills" | "billExceptions" | "digest" | "clock">;

/**
 * Keeps the lines of a run for the accounts, unless the bill has lost lines.
 *
 * A wallet can omit a line when it provides the bill of a day again. The lines that are kept then
 * stay, and an exception names what is missing. If an operator closes it as `not-ours`, the wallet
 * was right to remove the lines: the next run keeps the bill without them.
 *
 * @param take - Receives the exception.
 */
export function keepBill(
  ports: KeepBillPorts,
  run: Pick<BillRun, "bill" | "asOf">,
  bill: KeptBill,
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
        const missing = await ports.keptBills.missingLines(runId, earlier.runId);
        if (missing.isErr()) return missing;
        if (missing.value !== undefined) {
          const found = missingException(ports, run, missing.value);
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

/** Creates the exception of a missing line, or of several lines of the day. */
function missingException(
  ports: Pick<Ports, "digest" | "clock">,
  run: Pick<BillRun, "bill" | "asOf">,
  { count, amount, first }: MissingBillLines,
): FoundException {
  if (count > 1) return dayException(ports, run, "LINE_MISSING", { amountThere: 0, amountHere: amount });
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
