import type { KeptBillSums } from "../bills/kept-bill-store.js";

/** Sums of lines of trade bills. Amounts are cents. */
export interface BillReportSums extends Omit<KeptBillSums, "runId" | "appId"> {
  /** What the account received, less the fees. */
  readonly net: number;
}

const NOTHING: BillReportSums = {
  payments: 0,
  paymentAmount: 0,
  refunds: 0,
  refundAmount: 0,
  received: 0,
  fees: 0,
  net: 0,
  unpriced: 0,
};

/**
 * Adds up rows of a report, such as those of one day or of one account.
 *
 * @returns the sums, which are 0 without rows.
 * @example
 * ```ts
 * import { billReportInput, openBillReport, parseInput } from "@tillkit/core";
 * import { sumBillRows } from "@tillkit/core/operators";
 *
 * const opened = await parseInput(billReportInput(), { period: "2026-10" }).asyncAndThen((input) =>
 *   openBillReport(ports, input, () => true),
 * );
 * if (opened.isOk()) {
 *   const first = opened.value.report.days.filter(({ day }) => day === "2026-10-01");
 *   console.log(sumBillRows(first).net);
 * }
 * ```
 */
export function sumBillRows(rows: readonly BillReportSums[]): BillReportSums {
  return rows.reduce(plus, NOTHING);
}

function plus(left: BillReportSums, right: BillReportSums): BillReportSums {
  return {
    payments: left.payments + right.payments,
    paymentAmount: left.paymentAmount + right.paymentAmount,
    refunds: left.refunds + right.refunds,
    refundAmount: left.refundAmount + right.refundAmount,
    received: left.received + right.received,
    fees: left.fees + right.fees,
    net: left.net + right.net,
    unpriced: left.unpriced + right.unpriced,
  };
}
