import type { OrderKey } from "../orders/order.js";
import type { Digest } from "../shared/digest.js";
import type { Bill } from "./bill.js";

/**
 * How a bill and the record can differ. NOT_HERE: the wallet has it and the record has not. NOT_THERE: the record has it and no bill has. AMOUNT: both have it, not
 * over the same amount.
 */
export const BILL_EXCEPTION_KINDS = [
  "PAYMENT_NOT_HERE",
  "PAYMENT_NOT_THERE",
  "PAYMENT_AMOUNT",
  "REFUND_NOT_HERE",
  "REFUND_NOT_THERE",
  "REFUND_AMOUNT",
] as const;
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
  readonly outTradeNo: string;
  /** The number the wallet knows a refund by, if it has one. */
  readonly refundNo?: string;
  /** The wallet's own number of the payment. */
  readonly walletTradeNo?: string;
  /** What the bill states; absent where it has no such line. */
  readonly amountThere?: number;
  /** What the record states; absent where it has nothing of the kind. */
  readonly amountHere?: number;
  /** Status of the order, or of the refund, in the record. */
  readonly statusHere?: string;
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
export type ExceptionIdentity = Pick<
  FoundException,
  "payChannel" | "appEnv" | "accountId" | "kind" | "outTradeNo" | "refundNo"
>;

/** The id of an exception: 24 hexadecimal digits, equal on every host. */
export function billExceptionId(digest: Pick<Digest, "sha256">, identity: ExceptionIdentity): string {
  const { payChannel, appEnv, accountId, kind, outTradeNo, refundNo = "" } = identity;
  return digest
    .sha256(JSON.stringify([payChannel, appEnv, accountId, kind, outTradeNo, refundNo]))
    .slice(0, 24);
}
