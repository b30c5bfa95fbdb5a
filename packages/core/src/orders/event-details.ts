import * as z from "zod";
import { BILL_EXCEPTION_KINDS } from "./bill-exception-kind.js";
import { REFUND_STATUSES } from "./refund-status.js";
import { FUNDS_REMEDIES } from "../wallets/wallet.js";

/** The messages in which a wallet makes a statement: a notification, or the answer to a query. */
export const STATEMENT_SOURCES = ["notification", "query"] as const;
/** The kind of message that contained a wallet's statement. */
export type StatementSource = (typeof STATEMENT_SOURCES)[number];

/** The sources from which Tillkit can learn the number of a refund that is not stored yet. */
export const ADOPTION_SOURCES = ["notification", "query", "bill", "operator"] as const;
/** The source from which Tillkit learned the number of an adopted refund. */
export type AdoptionSource = (typeof ADOPTION_SOURCES)[number];

/** The parts of a wallet's statement that can differ from the order. */
export const STATEMENT_DIFFERENCES = ["order-number", "app-id", "merchant", "amount", "currency"] as const;
/** A part of a wallet's statement that differs from the order. */
export type StatementDifference = (typeof STATEMENT_DIFFERENCES)[number];

/** The personal texts of an order, its refunds and its events. */
export const ERASED_TEXTS = ["customerName", "attachData", "payerId", "walletOptions", "reasons"] as const;
/** A personal text of an order that was erased. */
export type ErasedText = (typeof ERASED_TEXTS)[number];

const source = z.enum(STATEMENT_SOURCES);
/** Cents. */
const amount = z.int();
const status = z.enum(REFUND_STATUSES);
/** The wallet's own text about a refusal. */
const refusal = z.string();
const NONE = z.object({});

/**
 * Schema of the details of each type of event.
 *
 * The timeline stores facts and no sentences, so that each reader can get them in their own
 * language. Amounts are cents.
 */
export const EVENT_DETAILS = {
  CREATED: z.object({ amount }),
  /** The state of the order in the file. */
  IMPORTED: z.object({
    amount,
    refundedAmount: amount,
    /**
     * SHA-256 of the order's earlier values, written as an import line. Absent for the first
     * import.
     */
    replaced: z.string().optional(),
  }),
  CONNECTED: z.object({ payToolId: z.string() }),
  /** `statedAt` is the wallet's time of the payment, if it is not plausible. */
  PAID: z.object({ source, statedAt: z.number().optional() }),
  LATE_PAYMENT: z.object({ source, statedAt: z.number().optional() }),
  /**
   * `recorded` is the wallet's number of the payment on record, `stated` that of another payment.
   */
  SECOND_PAYMENT: z.object({ source, recorded: z.string(), stated: z.string() }),
  /**
   * A refund of a payment that is not on record.
   *
   * `number` is the wallet's number of the refund, `stated` that of the payment.
   */
  SECOND_PAYMENT_REFUNDED: z.object({ amount, number: z.string(), stated: z.string() }),
  CLOSED_AFTER_PAYMENT: z.object({ source }),
  CLOSED: z.object({
    /** The message in which the wallet stated the closure. Absent if Tillkit closed the order. */
    source: source.optional(),
    /**
     * The wallet's answer when Tillkit closed the order. Absent if the wallet closed it.
     *
     * `absent-unsigned`: the wallet said so without a signature. `not-there-yet`: the customer may
     * still open the payment, so Tillkit asks again.
     */
    atWallet: z.enum(["closed", "absent", "absent-unsigned", "not-there-yet"]).optional(),
  }),
  PREPAYMENT_REJECTED: z.object({ refusal }),
  MISMATCH: z.discriminatedUnion("about", [
    z.object({
      about: z.literal("order"),
      source,
      differences: z.array(z.enum(STATEMENT_DIFFERENCES)).readonly(),
    }),
    z.object({ about: z.literal("refund"), number: z.string() }),
    z.object({ about: z.literal("failed-after-confirmed") }),
    z.object({ about: z.literal("abnormal-after-end"), status }),
    z.object({ about: z.literal("processing-after-end"), status }),
  ]),
  /**
   * A refund that Tillkit did not make. `number` is its number at the wallet. If the wallet only
   * stated that the order is refunded, there is no number, and `source` names the message.
   */
  UNKNOWN_REFUND: z.union([z.object({ number: z.string() }), z.object({ source })]),
  /** An open difference between the order and a bill, with the amounts of the exception. */
  BILL_DIFFERENCE: z.object({
    kind: z.enum(BILL_EXCEPTION_KINDS),
    day: z.string(),
    amountThere: amount.optional(),
    amountHere: amount.optional(),
  }),
  /** A payment or refund of a bill that an operator assigned to the order. */
  BILL_ASSIGNED: z.object({
    kind: z.enum(BILL_EXCEPTION_KINDS),
    day: z.string(),
    /** The number of the payment or refund at the wallet. */
    number: z.string(),
    walletTradeNo: z.string().optional(),
    amountThere: amount.optional(),
  }),
  /** A refund that waits for a second operator. The event's reason is that of the requester. */
  REFUND_APPROVAL_REQUESTED: z.object({ amount }),
  /** The event's reason is that of the second operator. */
  REFUND_APPROVED: z.object({ amount, requestedBy: z.string() }),
  REFUND_REJECTED: z.object({ amount, requestedBy: z.string() }),
  /** An approved refund that cannot be made. `failure` is the name of the failure. */
  REFUND_NOT_MADE: z.object({ amount, approvedBy: z.string().optional(), failure: z.string() }),
  REFUND_REQUESTED: z.object({ amount, approvedBy: z.string().optional() }),
  REFUND_SENT: z.object({ amount, number: z.string().optional() }),
  REFUND_CONFIRMED: z.object({
    amount,
    /** Whether the wallet had refused the refund before. */
    afterFailure: z.boolean().optional(),
    /** Whether an operator had withdrawn the refund before. */
    afterWithdrawal: z.boolean().optional(),
    /** Whether the money went to the merchant, who then pays the customer. */
    toMerchant: z.boolean().optional(),
  }),
  REFUND_REFUSED: z.object({ refusal }),
  REFUND_FAILED: z.object({ refusal: refusal.optional() }),
  /** `remedy` ends the wait. If it is absent, a top-up of the account ends it. */
  REFUND_WAITING_FOR_FUNDS: z.object({ amount, refusal, remedy: z.enum(FUNDS_REMEDIES).optional() }),
  REFUND_ABNORMAL: z.object({ amount }),
  REFUND_PROCESSING: z.object({ was: status }),
  REFUND_PAYOUT: z.object({
    amount,
    to: z.enum(["customer", "merchant"]),
    /** The id of the operator's change. Absent for a command of the command line. */
    change: z.string().optional(),
  }),
  REFUND_PAYOUT_REFUSED: z.object({ refusal }),
  /**
   * A card for the payout, which another operator must name as well.
   *
   * `receiver` is a shortened keyed hash of the card, to compare two proposals.
   */
  REFUND_PAYOUT_PROPOSED: z.object({ amount, receiver: z.string() }),
  REFUND_OVERDUE: z.object({ amount, status, days: z.int() }),
  /**
   * If the wallet did not prove the outcome of the refund, the reason ends with the operator's
   * evidence.
   */
  REFUND_SETTLED: z.object({ amount, isUnproven: z.boolean().optional() }),
  /**
   * The event's reason is that of the operator.
   *
   * `isInferred`: the wallet did not answer. The other refunds of the order, which it confirmed,
   * leave less than the amount of this one, so it cannot make it.
   */
  REFUND_WITHDRAWN: z.object({ amount, isInferred: z.boolean().optional() }),
  /**
   * A refund that the wallet made and that was not on record. `number` is its number at the wallet.
   */
  REFUND_ADOPTED: z.object({
    amount,
    number: z.string(),
    source: z.enum(ADOPTION_SOURCES),
    /** Whether the money went to the merchant, who then pays the customer. */
    toMerchant: z.boolean().optional(),
  }),
  /**
   * `number`: the number at the wallet of the refund that it made beside the settled one. Absent if
   * the wallet confirmed the settled refund itself.
   */
  REFUND_PAID_TWICE: z.object({ number: z.string().optional() }),
  REFUNDED: NONE,
  /** An operator requested a report of the shipment. The event's reason is that of the operator. */
  SHIPMENT_REQUESTED: NONE,
  /** `before`: the wallet already had a report of the shipment. */
  SHIPMENT_REPORTED: z.object({ before: z.boolean().optional() }),
  /**
   * `isRepeated`: the cause is a setting that a person can correct, so Tillkit repeats the report.
   */
  SHIPMENT_REFUSED: z.object({ refusal, isRepeated: z.boolean() }),
  /** `refusal` is the last failure. Tillkit continues to repeat the report. */
  SHIPMENT_OVERDUE: z.object({ refusal }),
  SHIPMENT_ENDED: z.object({ because: z.enum(["refunded", "switched-off"]) }),
  ALARM_ACKNOWLEDGED: NONE,
  /** What was removed from the order, its refunds and its earlier events. */
  PERSONAL_DATA_ERASED: z.object({ erased: z.array(z.enum(ERASED_TEXTS)).readonly() }),
} as const satisfies Readonly<Record<string, z.ZodType>>;

/** Types of the events on an order's timeline. */
export type TimelineEventType = keyof typeof EVENT_DETAILS;

/** The details of each type of event. */
export type EventDetails = {
  readonly [T in TimelineEventType]: Readonly<z.output<(typeof EVENT_DETAILS)[T]>>;
};

const SCHEMAS: { readonly [T in TimelineEventType]: z.ZodType<EventDetails[T]> } = EVENT_DETAILS;

/**
 * Returns the type and the details of an event for its entry.
 *
 * The entry has no reason. Add the reason if a person wrote one.
 */
export function eventWith<T extends TimelineEventType>(type: T, details: EventDetails[T]) {
  const isEmpty = Object.keys(details).length === 0;
  return { type, reason: "", ...(isEmpty ? {} : { details: JSON.stringify(details) }) } as const;
}

/** Reads stored details. Returns `undefined` if they are not the details of this type. */
export function parseEventDetails<T extends TimelineEventType>(
  type: T,
  details: string | undefined,
): EventDetails[T] | undefined {
  return SCHEMAS[type].safeParse(details === undefined ? {} : jsonOf(details)).data;
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
