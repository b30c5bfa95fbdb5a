import { centsOfYuan } from "@tillkit/core";

/** What the lines of one kind add up to. Amounts are cents, negative for refunds. */
export interface KindSums {
  count: number;
  /** What orders were made for, or refunds asked for. */
  amount: number;
  /** What the seller got, or gave: less by what it granted itself. */
  received: number;
}

/** The sums of both kinds. */
export interface BothKinds {
  readonly payments: KindSums;
  readonly refunds: KindSums;
}

/** Running totals of a bill, over all its files. */
export interface BillBook extends BothKinds {
  /** Files with lines. */
  details: number;
  /** Lines that could not be read. One line of the bill may be broken over several lines of text. */
  unreadable: number;
  /** What the closing lines of the files state for lines that could not be read: counts, and what the seller got. */
  readonly left: BothKinds;
  /** What the file with the sums states, once it was read. */
  summary: BillSummary | undefined;
}

/** What the file with the sums states. */
export interface BillSummary {
  readonly payments: string;
  readonly refunds: string;
  readonly amount: number;
  readonly received: number;
  /** Cents that the seller paid as fees, returned fees deducted. */
  readonly fees: number;
}

/** Sums of nothing. */
export function noSums(): KindSums {
  return { count: 0, amount: 0, received: 0 };
}

/** The book of a bill that was not read yet. */
export function openBook(): BillBook {
  return {
    payments: noSums(),
    refunds: noSums(),
    left: { payments: noSums(), refunds: noSums() },
    details: 0,
    unreadable: 0,
    summary: undefined,
  };
}

/** Why a bill that was read to its end is not complete, if it is not. */
export function disagreement({ payments, refunds, left, details, summary }: BillBook): string | undefined {
  if (details === 0) return "it has no file with lines";
  if (summary === undefined) return "it has no file with sums";
  const counts = [payments.count + left.payments.count, refunds.count + left.refunds.count] as const;
  if (summary.payments !== String(counts[0]) || summary.refunds !== String(counts[1]))
    return `it has ${counts[0]} payments and ${counts[1]} refunds, and its sums say otherwise`;
  for (const column of ["amount", "received"] as const) {
    // What orders were made for is stated nowhere else: what unreadable lines add to it is not known.
    if (column === "amount" && left.payments.count + left.refunds.count > 0) continue;
    const [paid, sentBack] = [
      payments[column] + left.payments[column],
      refunds[column] + left.refunds[column],
    ];
    // The document leaves open whether the sums are of payments alone or less the refunds.
    if (![paid, paid + sentBack].includes(summary[column])) return "its amounts do not add up to its sums";
  }
  return undefined;
}

/** Cents of a yuan text, which has a sign where money goes back; `undefined` when it is none. */
export function signedCents(text: string): number | undefined {
  if (!text.startsWith("-")) return centsOfYuan(text);
  const cents = centsOfYuan(text.slice(1));
  // Not minus zero, which is no zero where it is compared.
  return cents === undefined || cents === 0 ? cents : -cents;
}
