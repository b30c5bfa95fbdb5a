import type { OrderKey } from "../orders/order.js";
import type { Digest } from "../shared/digest.js";
import type { Bill } from "./bill.js";

/**
 * How a wallet's trade bill and the record can differ. NOT_HERE: the wallet has it and the record has not. NOT_THERE: the record has it and no bill has. AMOUNT: both
 * have it, not over the same amount. UNREADABLE_LINE: a line of the trade bill cannot be read, so it is not compared.
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
 * How a wallet's fund-flow bill can differ from its trade bill and from the record.
 *
 * - MOVEMENT_MISSING: the trade bill lists a payment or refund, and the account did not move.
 * - MOVEMENT_UNKNOWN: the account moved for a number that neither the trade bill nor the record settles.
 * - MOVEMENT_AMOUNT: the account moved by another amount than the trade bill or the record states.
 * - FEE_AMOUNT: the account paid another fee for a payment or refund than the trade bill states.
 * - FEE_TOTAL: the fees of the day are not the trade bill's total of fees.
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

/** Every way in which a wallet's bills can differ from each other and from the record. */
export const BILL_EXCEPTION_KINDS = [...TRADE_BILL_KINDS, ...FUND_FLOW_KINDS] as const;
/** One of the ways in which a bill and the record differ. */
export type BillExceptionKind = (typeof BILL_EXCEPTION_KINDS)[number];

/**
 * OPEN: a person must look. The others are closed: HEALED when the wallet was asked and its answer moved the record; GONE when a later run did not find it any more;
 * LISTED when the bill of another day turned out to have it; RESOLVED by an operator.
 */
export const BILL_EXCEPTION_STATES = ["OPEN", "HEALED", "GONE", "LISTED", "RESOLVED"] as const;
/** The state of an exception. */
export type BillExceptionState = (typeof BILL_EXCEPTION_STATES)[number];

/** What a run found. Amounts are cents, times epoch milliseconds. */
export interface FoundException extends Bill {
  /** The same for every run that finds it: made of merchant, kind and numbers. The day is no part of it, because a number is used once. */
  readonly id: string;
  readonly kind: BillExceptionKind;
  /** The order's number at the wallet; empty if the difference is about the whole day, or if a line's number cannot be read. */
  readonly outTradeNo: string;
  /** The number the wallet knows a refund by, if it has one. */
  readonly refundNo?: string;
  /** The wallet's own number of the payment. */
  readonly walletTradeNo?: string;
  /** What the bill states, the fund-flow bill for a kind of `FUND_FLOW_KINDS`; absent where it has no such line. */
  readonly amountThere?: number;
  /** What the record states, or the trade bill for a kind of `FUND_FLOW_KINDS`; absent where it has nothing of the kind. */
  readonly amountHere?: number;
  /** Status of the order, or of the refund, in the record. */
  readonly statusHere?: string;
  /** What is wrong, in words, for a line that cannot be read. It holds no text of the line. */
  readonly detail?: string;
  /** The order, if there is one of this number. */
  readonly order?: OrderKey;
  /** When the run began that looked: of two runs the later knows better. */
  readonly asOf: number;
  /** Now. */
  readonly at: number;
}

/** A difference between a bill and the record, as it is worked off. */
export interface BillException extends Omit<FoundException, "at"> {
  readonly state: BillExceptionState;
  /** Who resolved it, and what they found out. Both stay when it is found with other amounts and opens again. */
  readonly operator?: string;
  readonly note?: string;
  /** When it was first found. */
  readonly gmtCreate: number;
  readonly gmtModified: number;
}

/** What tells an exception from every other. */
export interface ExceptionIdentity extends Pick<
  FoundException,
  "payChannel" | "appEnv" | "accountId" | "kind" | "outTradeNo" | "refundNo"
> {
  /** What tells it apart where the numbers do not: the day, or the day with the position and digest of a line. */
  readonly mark?: string;
}

/** The id of an exception: 24 hexadecimal digits, equal on every host. */
export function billExceptionId(digest: Pick<Digest, "sha256">, identity: ExceptionIdentity): string {
  const { payChannel, appEnv, accountId, kind, outTradeNo, refundNo = "", mark } = identity;
  const parts = [payChannel, appEnv, accountId, kind, outTradeNo, refundNo];
  return digest.sha256(JSON.stringify(mark === undefined ? parts : [...parts, mark])).slice(0, 24);
}
