import { centsOfYuan } from "@tillkit/core";

/** What the lines of one kind add up to. Amounts are cents, negative for refunds. */
export interface KindSums {
  count: number;
  /** What orders were made for, or refunds asked for. */
  amount: number;
  /** What the seller got, or gave: less by what it granted itself. */
  received: number;
}

/** What a bill was found to hold so far, over all its files. */
export interface BillBook {
  readonly payments: KindSums;
  readonly refunds: KindSums;
  /** Files with lines. */
  details: number;
  /** What the file with the sums states, once it was read. */
  summary: { payments: string; refunds: string; amount: number; received: number } | undefined;
}

/** Sums of nothing. */
export function noSums(): KindSums {
  return { count: 0, amount: 0, received: 0 };
}

/** The book of a bill that was not read yet. */
export function openBook(): BillBook {
  return { payments: noSums(), refunds: noSums(), details: 0, summary: undefined };
}

/** Why a bill that was read to its end is not complete, if it is not. */
export function disagreement({ payments, refunds, details, summary }: BillBook): string | undefined {
  if (details === 0) return "it has no file with lines";
  if (summary === undefined) return "it has no file with sums";
  if (summary.payments !== String(payments.count) || summary.refunds !== String(refunds.count))
    return `it has ${payments.count} payments and ${refunds.count} refunds, and its sums say otherwise`;
  for (const column of ["amount", "received"] as const) {
    // The document leaves open whether the sums are of payments alone or less the refunds.
    const readings = [payments[column], payments[column] + refunds[column]];
    if (!readings.includes(summary[column])) return "its amounts do not add up to its sums";
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
