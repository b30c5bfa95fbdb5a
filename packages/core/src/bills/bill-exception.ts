import type { OrderKey } from "../orders/order.js";
import type { Digest } from "../shared/digest.js";
import type { Bill } from "./bill.js";

/**
 * How a wallet's trade bill can differ from the stored orders and refunds.
 *
 * - NOT_HERE: the bill lists the payment or refund, and Tillkit has not recorded it.
 * - NOT_THERE: Tillkit has recorded the payment or refund, and no bill lists it.
 * - AMOUNT: both have it with different amounts.
 * - UNREADABLE_LINE: a line of the trade bill cannot be read, so it is not compared.
 */
export const TRADE_BILL_KINDS = [
  "PAYMENT_NOT_HERE",
  "PAYMENT_NOT_THERE",
  "PAYMENT_AMOUNT",
  "REFUND_NOT_HERE",
  "REFUND_NOT_THERE",
  "REFUND_AMOUNT",
  "UNREADABLE_LINE",
] as const;

/**
 * How a wallet's fund-flow bill can differ from its trade bill and from the stored orders.
 *
 * - MOVEMENT_MISSING: the trade bill lists a payment or refund, and the account did not move.
 * - MOVEMENT_UNKNOWN: the account moved for a number that neither the trade bill nor a stored order
 *   explains.
 * - MOVEMENT_AMOUNT: the account moved by another amount than the trade bill or the stored order
 *   states.
 * - FEE_AMOUNT: the account paid another fee for a payment or refund than the trade bill states.
 * - FEE_TOTAL: the fees of the day differ from the trade bill's total of fees.
 * - BALANCE: the balances of the account do not follow from its movements.
 * - UNREADABLE_MOVEMENT: a line of the fund-flow bill cannot be read, so it is not compared.
 */
export const FUND_FLOW_KINDS = [
  "MOVEMENT_MISSING",
  "MOVEMENT_UNKNOWN",
  "MOVEMENT_AMOUNT",
  "FEE_AMOUNT",
  "FEE_TOTAL",
  "BALANCE",
  "UNREADABLE_MOVEMENT",
] as const;

/** Every way in which bills can differ from each other and from the stored orders and refunds. */
export const BILL_EXCEPTION_KINDS = [...TRADE_BILL_KINDS, ...FUND_FLOW_KINDS] as const;
/** One kind of difference. */
export type BillExceptionKind = (typeof BILL_EXCEPTION_KINDS)[number];

/**
 * The states of an exception. Only OPEN needs an operator.
 *
 * - OPEN: a person must look at it.
 * - HEALED: Tillkit queried the wallet, and the answer updated the order or refund.
 * - GONE: a later run did not find the difference again.
 * - LISTED: the bill of another day contains the payment or refund.
 * - RESOLVED: an operator closed it.
 */
export const BILL_EXCEPTION_STATES = ["OPEN", "HEALED", "GONE", "LISTED", "RESOLVED"] as const;
/** The state of an exception. */
export type BillExceptionState = (typeof BILL_EXCEPTION_STATES)[number];

/** A difference that a run found. Amounts are cents, times epoch milliseconds. */
export interface FoundException extends Bill {
  /**
   * The id, equal for every run that finds the difference.
   *
   * It depends on merchant, kind and numbers. It includes the day only where the numbers do not
   * identify the difference.
   */
  readonly id: string;
  readonly kind: BillExceptionKind;
  /**
   * The order's number at the wallet.
   *
   * Empty if the difference is about the whole day, or if the number of the line cannot be read.
   */
  readonly outTradeNo: string;
  /** The refund's number at the wallet, if any. */
  readonly refundNo?: string;
  /** The wallet's own number of the payment. */
  readonly walletTradeNo?: string;
  /**
   * The amount in the trade bill, or in the fund-flow bill for a kind of {@link FUND_FLOW_KINDS}.
   *
   * Absent if the bill has no such line.
   */
  readonly amountThere?: number;
  /**
   * The stored amount, or the trade bill's for a kind of {@link FUND_FLOW_KINDS}.
   *
   * Absent if there is none.
   */
  readonly amountHere?: number;
  /** The stored status of the order or of the refund. */
  readonly statusHere?: string;
  /** What is wrong with an unreadable line, without any text of the line. */
  readonly detail?: string;
  /** The order with this number, if it exists. */
  readonly order?: OrderKey;
  /** When the run began. The findings of the later run take precedence. */
  readonly asOf: number;
  /** The current time. */
  readonly at: number;
}

/** A stored difference and its state. */
export interface BillException extends Omit<FoundException, "at"> {
  readonly state: BillExceptionState;
  /**
   * The operator who resolved it, and their finding.
   *
   * Both stay when a run finds the difference with other amounts and it becomes OPEN again.
   */
  readonly operator?: string;
  readonly note?: string;
  /** When a run first found the difference. */
  readonly gmtCreate: number;
  readonly gmtModified: number;
}

/** The values that identify an exception. */
export interface ExceptionIdentity extends Pick<
  FoundException,
  "payChannel" | "appEnv" | "accountId" | "kind" | "outTradeNo" | "refundNo"
> {
  /**
   * Identifies the exception where the numbers do not.
   *
   * For example the day, or the day with the position and digest of a line.
   */
  readonly mark?: string;
}

/** Returns the id of an exception: 24 hexadecimal digits, equal on every host. */
export function billExceptionId(digest: Pick<Digest, "sha256">, identity: ExceptionIdentity): string {
  const { payChannel, appEnv, accountId, kind, outTradeNo, refundNo = "", mark } = identity;
  const parts = [payChannel, appEnv, accountId, kind, outTradeNo, refundNo];
  return digest.sha256(JSON.stringify(mark === undefined ? parts : [...parts, mark])).slice(0, 24);
}
