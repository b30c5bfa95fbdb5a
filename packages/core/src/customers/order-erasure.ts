import { type ErasedText, eventWith } from "../orders/event-details.js";
import type { Order } from "../orders/order.js";
import type { TimelineEntry, TimelineEvent } from "../orders/timeline.js";
import type { RefundApproval } from "../refund-approvals/refund-approval.js";
import { isOpenRefund, type Refund } from "../refunds/refund.js";

/**
 * Why the personal texts of an order are still needed.
 *
 * - `payment-open`: the customer may still pay, or the wallet may still report a payment.
 * - `shipment-open`: the shipment of the order is not reported yet, which needs the customer's id.
 * - `refund-open`: a refund has not ended. A retry sends its reason to the wallet.
 * - `approval-open`: a refund waits for a second operator, or is about to be made.
 * - `events-undelivered`: a handler has not received an event of the order yet.
 */
export const IN_FLIGHT_REASONS = [
  "payment-open",
  "shipment-open",
  "refund-open",
  "approval-open",
  "events-undelivered",
] as const;
/** One reason why the texts of an order are still needed. */
export type InFlightReason = (typeof IN_FLIGHT_REASONS)[number];

/** An order with everything that belongs to it. */
export interface OrderData {
  readonly order: Order;
  readonly refunds: readonly Refund[];
  readonly approvals: readonly RefundApproval[];
  /** When events of the order are delivered next, or when their delivery was given up. */
  readonly deliveries: readonly { readonly dueAt?: number; readonly parkedAt?: number }[];
  readonly timeline: readonly TimelineEvent[];
}

/**
 * What the erasure of an order does.
 *
 * - `nothing`: the order has no personal texts.
 * - `in-flight`: the texts are still needed. They stay, and a later erasure removes them.
 * - `erase`: the texts are removed.
 */
export type OrderErasure =
  | { readonly kind: "nothing" }
  | { readonly kind: "in-flight"; readonly because: readonly InFlightReason[] }
  | { readonly kind: "erase"; readonly erased: readonly ErasedText[] };

/**
 * Decides what the erasure of an order does. Stores call it while they hold the lock of the order.
 *
 * @returns the plan.
 * @example
 * ```ts
 * import { type OrderData, planOrderErasure } from "@tillkit/core/ports";
 *
 * declare const data: OrderData;
 *
 * const plan = planOrderErasure(data);
 * ```
 * @see {@link https://github.com/tillkit/tillkit/blob/main/docs/decisions/personal-data.md |
 *   Orders are checked for personal data, and customers can be erased}
 */
export function planOrderErasure(data: OrderData): OrderErasure {
  const { order, refunds, approvals, timeline } = data;
  const hasReasons =
    refunds.some(({ reason }) => reason !== "") ||
    approvals.some(({ reason, note = "" }) => reason !== "" || note !== "") ||
    timeline.some(({ reasonSalt }) => reasonSalt !== undefined);
  const parts: readonly ErasedText[] = [
    ...(order.customerName === undefined ? [] : (["customerName"] as const)),
    ...(order.attachData === undefined ? [] : (["attachData"] as const)),
    ...(order.payerId === undefined ? [] : (["payerId"] as const)),
    ...(order.walletOptions === undefined ? [] : (["walletOptions"] as const)),
    ...(hasReasons ? (["reasons"] as const) : []),
  ];
  if (parts.length === 0) return { kind: "nothing" };
  const because = IN_FLIGHT_REASONS.filter((reason) => IS_IN_FLIGHT[reason](data));
  return because.length > 0 ? { kind: "in-flight", because } : { kind: "erase", erased: parts };
}

const IS_IN_FLIGHT: Readonly<Record<InFlightReason, (data: OrderData) => boolean>> = {
  "payment-open": ({ order: { paymentStatus, nextQueryAt } }) =>
    paymentStatus === "PENDING" || (paymentStatus === "CLOSE" && nextQueryAt !== undefined),
  "shipment-open": ({ order: { paymentStatus, nextQueryAt } }) =>
    paymentStatus === "PAID" && nextQueryAt !== undefined,
  "refund-open": ({ refunds }) => refunds.some(isOpenRefund),
  "approval-open": ({ approvals }) =>
    approvals.some(({ state, nextTryAt }) => state === "WAITING" || nextTryAt !== undefined),
  "events-undelivered": ({ deliveries }) =>
    deliveries.some(({ dueAt, parkedAt }) => dueAt !== undefined || parkedAt !== undefined),
};

/** When an order is erased, and by whom. */
export interface ErasureMark {
  /** Epoch milliseconds. */
  readonly at: number;
  /** `operator:{name}`. */
  readonly actor: string;
}

/**
 * Returns the event that an erasure appends to the timeline.
 *
 * @returns the entry. It causes no event for handlers.
 * @example
 * ```ts
 * import { erasureEntry } from "@tillkit/core/ports";
 *
 * const entry = erasureEntry({ at: 1_768_449_600_000, actor: "operator:li" }, ["customerName"]);
 * ```
 */
export function erasureEntry({ at, actor }: ErasureMark, parts: readonly ErasedText[]): TimelineEntry {
  return { ...eventWith("PERSONAL_DATA_ERASED", { erased: parts }), at, actor, alarm: false };
}
