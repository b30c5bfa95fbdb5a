/**
 * How a wallet's trade bill can differ from the stored orders and refunds.
 *
 * - PAYMENT_NOT_HERE, REFUND_NOT_HERE: the bill lists the payment or refund, and Tillkit has not
 *   recorded it.
 * - PAYMENT_NOT_THERE, REFUND_NOT_THERE: Tillkit has recorded the payment or refund, and no bill
 *   lists it.
 * - PAYMENT_AMOUNT, REFUND_AMOUNT: the bill and Tillkit have it with different amounts.
 * - UNREADABLE_LINE: a line of the trade bill cannot be read, so it is not compared.
 * - LINE_MISSING: the trade bill no longer lists a line that it listed at an earlier comparison.
 */
export const TRADE_BILL_KINDS = [
  "PAYMENT_NOT_HERE",
  "PAYMENT_NOT_THERE",
  "PAYMENT_AMOUNT",
  "REFUND_NOT_HERE",
  "REFUND_NOT_THERE",
  "REFUND_AMOUNT",
  "UNREADABLE_LINE",
  "LINE_MISSING",
] as const;

/**
 * How a wallet's fund-flow bill can differ from its trade bill and from the stored orders.
 *
 * - MOVEMENT_MISSING: the trade bill lists a payment or refund for which the account has no
 *   movement.
 * - MOVEMENT_UNKNOWN: the account has a movement whose number neither the trade bill nor a stored
 *   order explains.
 * - MOVEMENT_AMOUNT: a movement of the account has another amount than the trade bill or the stored
 *   order states.
 * - MOVEMENT_TOTAL: the account paid another sum for refunds than the trade bill lists, and no
 *   order or refund explains it. The trade bill may lack a refund that was made in the wallet's
 *   console.
 * - FEE_AMOUNT: the account paid another fee for a payment or refund than the trade bill states.
 * - FEE_TOTAL: the fees of the day differ from the trade bill's total of fees.
 * - BALANCE: the balances of the account do not follow from its movements.
 * - UNREADABLE_MOVEMENT: a line of the fund-flow bill cannot be read, so it is not compared.
 */
export const FUND_FLOW_KINDS = [
  "MOVEMENT_MISSING",
  "MOVEMENT_UNKNOWN",
  "MOVEMENT_AMOUNT",
  "MOVEMENT_TOTAL",
  "FEE_AMOUNT",
  "FEE_TOTAL",
  "BALANCE",
  "UNREADABLE_MOVEMENT",
] as const;

/** Every way in which bills can differ from each other and from the stored orders and refunds. */
export const BILL_EXCEPTION_KINDS = [...TRADE_BILL_KINDS, ...FUND_FLOW_KINDS] as const;
/** One kind of difference. */
export type BillExceptionKind = (typeof BILL_EXCEPTION_KINDS)[number];
