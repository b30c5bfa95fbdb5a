import type { BillExceptionKind } from "../orders/bill-exception-kind.js";
import type { TimelineEventType } from "../orders/event-details.js";
import type { RefundStatus } from "../orders/refund-status.js";
import type { Refund } from "../refunds/refund.js";
import { DAY } from "../shared/date.js";
import { billDay } from "./bill-day.js";
import type { BillException } from "./bill-exception.js";

/**
 * What a person can do about an exception of a bill, an alarm or a refund. None moves money twice.
 *
 * - wait: Tillkit completes the matter by itself. Offered until waiting cannot help any more.
 * - adopt: query the wallet, and record its signed answer.
 * - withdraw: end a refund that the wallet does not have, and release its amount. Its number is
 *   never sent again.
 * - settle: record, with a reason, what a person did by other means or found out. Settle a refund
 *   before you pay the customer: its amount is then used, and no other refund can use it.
 * - assign: record that a payment or refund without a known order belongs to a given order.
 * - not-ours: record that a payment or refund belongs to no order of Tillkit. The next comparison
 *   then removes a missing line of a bill from the reports.
 * - refund: refund the order.
 * - report: report again to the wallet that the customer has received the goods.
 * - acknowledge: record that a person has dealt with an alarm.
 */
export const REMEDIES = [
  "wait",
  "adopt",
  "withdraw",
  "settle",
  "assign",
  "not-ours",
  "refund",
  "report",
  "acknowledge",
] as const;
/** One of {@link REMEDIES}. */
export type Remedy = (typeof REMEDIES)[number];

/** The remedies of an exception, by whether an order has its number. */
export interface ExceptionRemedies {
  readonly known: readonly Remedy[];
  readonly unknown: readonly Remedy[];
}

const SETTLE: ExceptionRemedies = { known: ["settle"], unknown: ["settle"] };
/** For a payment, refund or movement that the bill of another day may list. */
const WAIT: ExceptionRemedies = { known: ["wait", "settle"], unknown: ["wait", "settle"] };
/**
 * A wallet may correct an incomplete bill. Otherwise the movement may belong to another system, or
 * the wallet was right to remove the line.
 */
const INCOMPLETE: ExceptionRemedies = {
  known: ["wait", "not-ours", "settle"],
  unknown: ["wait", "not-ours", "settle"],
};
const ADOPT: ExceptionRemedies = { known: ["adopt", "settle"], unknown: ["assign", "not-ours", "settle"] };
const ASSIGN: ExceptionRemedies = { known: ["settle"], unknown: ["assign", "not-ours", "settle"] };

/** The remedies of each kind of exception of a bill. */
export const EXCEPTION_REMEDIES: Readonly<Record<BillExceptionKind, ExceptionRemedies>> = {
  PAYMENT_NOT_HERE: ADOPT,
  PAYMENT_NOT_THERE: WAIT,
  PAYMENT_AMOUNT: SETTLE,
  REFUND_NOT_HERE: ADOPT,
  REFUND_NOT_THERE: WAIT,
  REFUND_AMOUNT: SETTLE,
  UNREADABLE_LINE: SETTLE,
  LINE_MISSING: INCOMPLETE,
  MOVEMENT_MISSING: WAIT,
  MOVEMENT_UNKNOWN: ASSIGN,
  MOVEMENT_AMOUNT: SETTLE,
  MOVEMENT_TOTAL: INCOMPLETE,
  FEE_AMOUNT: SETTLE,
  FEE_TOTAL: SETTLE,
  BALANCE: SETTLE,
  UNREADABLE_MOVEMENT: SETTLE,
};

/** The remedies of a refund in each status. CONFIRMED and SETTLED are final and need none. */
export const REFUND_REMEDIES: Readonly<Record<RefundStatus, readonly Remedy[]>> = {
  REQUESTED: ["wait", "settle", "withdraw"],
  SENT: ["wait", "settle", "withdraw"],
  WAITING_FOR_FUNDS: ["wait", "settle", "withdraw"],
  ABNORMAL: ["settle"],
  CONFIRMED: [],
  FAILED: ["refund", "settle"],
  WITHDRAWN: ["refund", "settle"],
  SETTLED: [],
};

/**
 * The remedies of each type of alarm. Absent: events of this type raise no alarm.
 *
 * For an alarm about a refund, {@link REFUND_REMEDIES} has more remedies, by the status of the
 * refund.
 */
export const ALARM_REMEDIES = {
  PREPAYMENT_REJECTED: ["acknowledge"],
  LATE_PAYMENT: ["refund", "acknowledge"],
  SECOND_PAYMENT: ["acknowledge"],
  CLOSED_AFTER_PAYMENT: ["acknowledge"],
  MISMATCH: ["acknowledge"],
  UNKNOWN_REFUND: ["adopt", "acknowledge"],
  REFUND_NOT_MADE: ["refund", "acknowledge"],
  REFUND_CONFIRMED: ["acknowledge"],
  REFUND_FAILED: ["acknowledge"],
  REFUND_WAITING_FOR_FUNDS: ["acknowledge"],
  REFUND_ABNORMAL: ["acknowledge"],
  REFUND_OVERDUE: ["acknowledge"],
  REFUND_ADOPTED: ["acknowledge"],
  REFUND_PAID_TWICE: ["acknowledge"],
  SHIPMENT_REFUSED: ["report", "acknowledge"],
  SHIPMENT_OVERDUE: ["report", "acknowledge"],
} as const satisfies Partial<Record<TimelineEventType, readonly Remedy[]>>;

/** A remedy that can be used now. */
export interface OfferedRemedy {
  readonly remedy: Remedy;
  /** Only with `wait`: until when, epoch milliseconds. */
  readonly until?: number;
}

/** The wallets have created the bills of a day by 10:00 of the next one, in China. */
const BILLS_READY = 10 * 60 * 60_000;

/**
 * Returns what a person can do about an exception of a bill.
 *
 * The bill of the next day may list the payment or refund. So `wait` is offered until that bill can
 * be compared.
 *
 * @returns the remedies, the best one first. Empty for an exception that is not OPEN.
 * @example
 * ```ts
 * import { exceptionRemedies } from "@tillkit/core/operators";
 *
 * const exception = { kind: "REFUND_NOT_HERE", state: "OPEN", day: "2026-01-31" } as const;
 * console.log(exceptionRemedies(exception, Date.now()).map(({ remedy }) => remedy));
 * ```
 */
export function exceptionRemedies(
  {
    kind,
    state,
    day,
    order,
    remedy: before,
  }: Pick<BillException, "kind" | "state" | "day" | "order" | "remedy">,
  now: number,
): readonly OfferedRemedy[] {
  if (state !== "OPEN") return [];
  const { known, unknown } = EXCEPTION_REMEDIES[kind];
  // A person chose the order of an assigned exception. The wallet does not connect the two.
  const isKnown = order !== undefined && before !== "assign";
  const until = billDay(day).endsAt + DAY + BILLS_READY;
  return offered(isKnown ? known : unknown, until > now ? until : undefined);
}

/** Returns whether a person can use a remedy on an exception of a bill now. */
export function isRemedyOffered(
  exception: Parameters<typeof exceptionRemedies>[0],
  wanted: Remedy,
  now: number,
): boolean {
  return exceptionRemedies(exception, now).some(({ remedy }) => remedy === wanted);
}

/**
 * Returns what a person can do about a refund.
 *
 * `wait` is offered until the reconciler continues the refund.
 *
 * @returns the remedies. Empty for a refund that needs none.
 * @example
 * ```ts
 * import { refundRemedies } from "@tillkit/core/operators";
 *
 * const remedies = refundRemedies({ status: "FAILED" });
 * console.log(remedies); // [{ remedy: "refund" }, { remedy: "settle" }]
 * ```
 */
export function refundRemedies({
  status,
  walletRefundNo,
  nextTryAt,
}: Pick<Refund, "status" | "walletRefundNo" | "nextTryAt">): readonly OfferedRemedy[] {
  const all = offered(REFUND_REMEDIES[status], nextTryAt);
  return walletRefundNo !== undefined ? all.filter(({ remedy }) => remedy !== "withdraw") : all;
}

/**
 * Returns what a person can do about an open alarm, beside the remedies of its refund.
 *
 * @returns the remedies.
 * @example
 * ```ts
 * import { alarmRemedies } from "@tillkit/core/operators";
 *
 * console.log(alarmRemedies("LATE_PAYMENT")); // [{ remedy: "refund" }, { remedy: "acknowledge" }]
 * ```
 */
export function alarmRemedies(type: TimelineEventType): readonly OfferedRemedy[] {
  const all: Partial<Record<TimelineEventType, readonly Remedy[]>> = ALARM_REMEDIES;
  return offered(all[type] ?? ["acknowledge"], undefined);
}

/**
 * Returns the remedies as offers.
 *
 * Leaves out `wait` if `until` is absent.
 */
function offered(remedies: readonly Remedy[], until: number | undefined): readonly OfferedRemedy[] {
  return remedies.flatMap((remedy): readonly OfferedRemedy[] => {
    if (remedy !== "wait") return [{ remedy }];
    return until === undefined ? [] : [{ remedy, until }];
  });
}
