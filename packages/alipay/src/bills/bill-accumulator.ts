import { centsOfYuan } from "@tillkit/core";

/** Totals of the lines of one kind. Amounts are cents, negative for refunds. */
export interface KindSums {
  count: number;
  /** Sum of the order amounts, or of the requested refunds. */
  amount: number;
  /** Sum of what the seller received, without the seller's own discounts. */
  received: number;
}

/** Totals of payments and of refunds. */
export interface BothKinds {
  readonly payments: KindSums;
  readonly refunds: KindSums;
}

/** Running totals of a bill, across all its files. */
export interface BillAccumulator extends BothKinds {
  /** Number of files with lines. */
  details: number;
  /**
   * Number of unreadable lines of text. A line break in a title turns one bill line into several.
   */
  unreadable: number;
  /**
   * Counts and received amounts of unreadable lines: totals in the files minus the readable lines.
   */
  readonly left: BothKinds;
  /** The contents of the summary file, once it was read. */
  summary: BillSummary | undefined;
}

/** The contents of the summary file. */
export interface BillSummary {
  readonly payments: string;
  readonly refunds: string;
  readonly amount: number;
  readonly received: number;
  /** Fees in cents that the seller paid, less returned fees. */
  readonly fees: number;
}

/** Returns empty totals. */
export function emptySums(): KindSums {
  return { count: 0, amount: 0, received: 0 };
}

/** Creates the running totals of an empty bill. */
export function createBillAccumulator(): BillAccumulator {
  return {
    payments: emptySums(),
    refunds: emptySums(),
    left: { payments: emptySums(), refunds: emptySums() },
    details: 0,
    unreadable: 0,
    summary: undefined,
  };
}

/** Returns why a bill is incomplete or inconsistent, or `undefined` if it is neither. */
export function billInconsistency({
  payments,
  refunds,
  left,
  details,
  summary,
}: BillAccumulator): string | undefined {
  if (details === 0) return "it has no file with lines";
  if (summary === undefined) return "it has no file with totals";
  const counts = [payments.count + left.payments.count, refunds.count + left.refunds.count] as const;
  if (summary.payments !== String(counts[0]) || summary.refunds !== String(counts[1]))
    return `it has ${counts[0]} payments and ${counts[1]} refunds, but its totals state other numbers`;
  for (const column of ["amount", "received"] as const) {
    // No file states the order amounts of unreadable lines.
    if (column === "amount" && left.payments.count + left.refunds.count > 0) continue;
    const [paid, sentBack] = [
      payments[column] + left.payments[column],
      refunds[column] + left.refunds[column],
    ];
    // Alipay's documentation does not say whether refunds are subtracted from the sums, so both are
    // accepted.
    if (![paid, paid + sentBack].includes(summary[column])) return "its amounts do not add up to its totals";
  }
  return undefined;
}

/**
 * Converts a yuan text, which may be negative, to cents.
 *
 * @returns `undefined` if the text is not an amount.
 */
export function signedCents(text: string): number | undefined {
  if (!text.startsWith("-")) return centsOfYuan(text);
  const cents = centsOfYuan(text.slice(1));
  // Negative zero would not equal zero in every comparison.
  return cents === undefined || cents === 0 ? cents : -cents;
}
