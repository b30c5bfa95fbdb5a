import type { BillExceptionKind } from "../orders/bill-exception-kind.js";
import type { OrderKey } from "../orders/order.js";
import type { Digest } from "../shared/digest.js";
import type { Bill } from "./bill.js";

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

/** How an operator closes an exception: see `REMEDIES`. */
export const CLOSING_REMEDIES = ["settle", "assign", "not-ours"] as const;
/** One of {@link CLOSING_REMEDIES}. */
export type ClosingRemedy = (typeof CLOSING_REMEDIES)[number];

/** A difference that a run found. Amounts are cents, times epoch milliseconds. */
export interface FoundException extends Bill {
  /**
   * The id, equal for every run that finds the difference.
   *
   * The id depends on merchant, kind and numbers. It depends on the day only if the numbers do not
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
   * The amount with which the bill is compared.
   *
   * It is the stored amount. For a kind of {@link FUND_FLOW_KINDS}, it is the amount in the trade
   * bill, or the stored amount if the trade bill has no such line.
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
   * The operator who closed the exception, and the note of this operator.
   *
   * Both stay if a run finds other amounts, so that the exception becomes OPEN again.
   */
  readonly operator?: string;
  readonly note?: string;
  /**
   * How the operator closed the exception. With `assign`, `order` is the order that the operator
   * named.
   */
  readonly remedy?: ClosingRemedy;
  /** When a run first found the difference. */
  readonly gmtCreate: number;
  /**
   * When the exception last became OPEN.
   *
   * Equals {@link gmtCreate} if the exception was never OPEN.
   */
  readonly openedAt: number;
  readonly gmtModified: number;
}

/** The values that identify an exception. */
export interface ExceptionIdentity extends Pick<
  FoundException,
  "payChannel" | "appEnv" | "accountId" | "kind" | "outTradeNo" | "refundNo"
> {
  /**
   * Identifies the exception if the numbers do not.
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
