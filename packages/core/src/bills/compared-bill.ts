import type { Bill } from "./bill.js";

/** The result of a run that compared a whole trade bill. */
export interface ComparedBill extends Bill {
  /** When the run began, epoch milliseconds. The result of the later run takes precedence. */
  readonly asOf: number;
  /** The number of lines of the trade bill that equal a stored payment or refund. */
  readonly matched: number;
  /**
   * The fees of the day, in cents: by the fund-flow bill, or by the trade bill's own total.
   *
   * Absent if Tillkit could read neither.
   */
  readonly fees?: number;
}

/** How many exceptions of a bill need an operator, and how many an operator has resolved. */
export interface BillExceptionCount extends Bill {
  readonly open: number;
  readonly resolved: number;
}
