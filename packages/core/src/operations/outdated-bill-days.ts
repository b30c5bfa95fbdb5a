import { ok, type ResultAsync } from "neverthrow";
import type { BillException } from "../bills/bill-exception.js";
import type { BillExceptionPosition } from "../bills/bill-exception-store.js";
import { type Bill, isSameBilledMerchant } from "../bills/bill.js";
import type { BillExceptionCount, ComparedBill } from "../bills/compared-bill.js";
import type { KeptBill } from "../bills/kept-bill-store.js";
import type { StorageFailure } from "../errors/failure.js";
import type { Ports } from "../ports.js";
import { attempt } from "../shared/attempt.js";
import { daysAfter } from "../shared/date.js";

/** The number of days whose bills the wallets keep, including both ends of a range. */
export const MAX_BILL_DAYS = 92;

/** What is stored about the comparisons of the bills of a range of days. */
interface ComparedBills {
  readonly compared: readonly ComparedBill[];
  readonly counted: readonly BillExceptionCount[];
  /** The bills that must be compared again after a decision about a line. */
  readonly outdated: readonly Bill[];
}

/** The number of exceptions that are in memory at once. */
const PAGE = 100;

/**
 * Reads the stored comparisons from one day in China to another, both `YYYY-MM-DD` and inclusive.
 */
export function readComparedBills(
  ports: Pick<Ports, "billExceptions" | "keptBills">,
  from: string,
  until: string,
): ResultAsync<ComparedBills, StorageFailure> {
  return attempt(async () => {
    // A run stores its exceptions before its result, so the counts include those of each result.
    const comparisons = await ports.billExceptions.listCompared(from, until);
    if (comparisons.isErr()) return comparisons;
    const counts = await ports.billExceptions.countByBill(from, until);
    if (counts.isErr()) return counts;
    const decided = counts.value.filter(({ resolved }) => resolved > 0);
    const bills = decided.length === 0 ? ok([]) : await ports.keptBills.list(from, until);
    if (bills.isErr()) return bills;
    const outdatedOnes = await outdatedBills(ports, decided, comparisons.value, bills.value);
    if (outdatedOnes.isErr()) return outdatedOnes;
    return ok({ compared: comparisons.value, counted: counts.value, outdated: outdatedOnes.value });
  });
}

/**
 * Returns which of the bills must be compared again after a decision about a line.
 *
 * Only a comparison replaces the kept lines of a bill. A bill must therefore be compared again if
 * an operator has closed a LINE_MISSING exception of it, and
 *
 * - the operator closed the exception as `not-ours`, but the kept lines still contain the line; or
 * - a run of another day's bill reported the exception, and this bill was not compared since then.
 *
 * A decision no longer counts if a later comparison of the bill did not find the exception again.
 * This comparison has kept the bill, or has found another exception.
 */
function outdatedBills(
  ports: Pick<Ports, "billExceptions">,
  candidates: readonly Bill[],
  comparisons: readonly ComparedBill[],
  keptBills: readonly KeptBill[],
): ResultAsync<readonly Bill[], StorageFailure> {
  return attempt(async () => {
    const bills: Bill[] = [];
    for (const { day, payChannel, appEnv, accountId } of candidates) {
      const bill: Bill = { day, payChannel, appEnv, accountId };
      const decisions = await missingLineDecisions(ports, bill);
      if (decisions.isErr()) return decisions;
      const comparedAt = comparisons.find((one) => isSameBill(one, bill))?.asOf ?? Infinity;
      const keptAt = keptBills.find((one) => isSameBill(one, bill))?.asOf ?? Infinity;
      const isOutdated = decisions.value.some(
        ({ asOf, remedy }) =>
          asOf > comparedAt || (remedy === "not-ours" && asOf > keptAt && asOf === comparedAt),
      );
      if (isOutdated) bills.push(bill);
    }
    return ok(bills);
  });
}

/** Returns whether a list of bills contains a bill. */
export function hasBill(bills: readonly Bill[], bill: Bill): boolean {
  return bills.some((one) => isSameBill(one, bill));
}

function isSameBill(left: Bill, right: Bill): boolean {
  return left.day === right.day && isSameBilledMerchant(left, right);
}

/** Returns the first of the days until `until` whose bills the wallets keep. */
export function firstKeptDay(until: string): string {
  return daysAfter(until, 1 - MAX_BILL_DAYS);
}

function missingLineDecisions(
  { billExceptions }: Pick<Ports, "billExceptions">,
  bill: Bill,
): ResultAsync<readonly BillException[], StorageFailure> {
  return attempt(async () => {
    const { day, payChannel, accountId } = bill;
    const filter = { state: "RESOLVED", kind: "LINE_MISSING", day, payChannel, accountId } as const;
    const decisions: BillException[] = [];
    let before: BillExceptionPosition | undefined;
    do {
      const page = await billExceptions.list({ ...filter, before, limit: PAGE });
      if (page.isErr()) return page;
      decisions.push(...page.value.items.filter((one) => isSameBilledMerchant(one, bill)));
      before = page.value.next;
    } while (before !== undefined);
    return ok(decisions);
  });
}
