import { ok, type Result, type ResultAsync } from "neverthrow";
import { fail, type FailureOf, type StorageFailure, type StorageFailureName } from "../errors/failure.js";
import type { Order, OrderKey } from "../orders/order.js";
import { readEvent } from "../orders/read-event.js";
import type { TimelineEvent } from "../orders/timeline.js";
import type { Ports } from "../ports.js";
import type { Refund } from "./refund.js";
import type { StoredRecord } from "./refund-store.js";

/** A member of an order's row that contradicts the timeline of the order. */
export interface OrderDifference {
  readonly member: "paymentStatus" | "amount" | "refundedAmount" | "refund-status" | "refund-amount";
  /** The number of the refund, if the difference is about a refund. */
  readonly refundNo?: string;
  /** The value in the row. `none` if there is no row. */
  readonly stored: string | number;
  /** The value that the timeline proves. `none` if the timeline contains no such refund. */
  readonly proven: string | number;
}

/** Whether a refund is open, has failed or was withdrawn, or has reached the customer. */
type RefundEnd = "open" | "failed" | "refunded";

/** The state of a refund that its timeline proves. */
interface ProvenRefund {
  readonly end: RefundEnd;
  readonly amount: number;
}

/** The state of an order that its timeline proves. An absent member is not proven. */
export interface ProvenState {
  readonly paymentStatus?: Order["paymentStatus"];
  readonly amount?: number;
  /** Cents that another service had refunded before the order was imported. */
  readonly refundedBefore?: number;
  /** Absent if an event of a refund cannot be read. */
  readonly refunds?: ReadonlyMap<string, ProvenRefund>;
}

/** Derives the state of an order from its events alone. */
export function provenState(timeline: readonly TimelineEvent[]): ProvenState {
  const refunds = new Map<string, ProvenRefund>();
  const unknownRefunds: TimelineEvent["type"][] = [];
  let state: Omit<ProvenState, "refunds"> = {};
  const end = (
    type: TimelineEvent["type"],
    refundNo: string | undefined,
    outcome: RefundEnd,
    amount?: number,
  ) => {
    const cents = amount ?? refunds.get(refundNo ?? "")?.amount;
    if (refundNo === undefined || cents === undefined) unknownRefunds.push(type);
    else refunds.set(refundNo, { end: outcome, amount: cents });
  };
  for (const event of timeline) {
    if (event.to !== undefined) state = { ...state, paymentStatus: event.to };
    const { refundNo } = event;
    switch (event.type) {
      case "CREATED":
        state = { ...state, ...withAmount(readEvent({ ...event, type: event.type })), refundedBefore: 0 };
        break;
      case "IMPORTED": {
        const facts = readEvent({ ...event, type: event.type });
        const refundedBefore = facts.details?.refundedAmount;
        state = { ...state, ...withAmount(facts), ...(refundedBefore !== undefined && { refundedBefore }) };
        break;
      }
      case "REFUND_REQUESTED":
        end(event.type, refundNo, "open", readEvent({ ...event, type: event.type }).details?.amount);
        break;
      case "REFUND_ADOPTED":
        end(event.type, refundNo, "refunded", readEvent({ ...event, type: event.type }).details?.amount);
        break;
      case "REFUND_CONFIRMED":
      case "REFUND_SETTLED":
        end(event.type, refundNo, "refunded");
        break;
      case "REFUND_WITHDRAWN":
      case "REFUND_FAILED":
        end(event.type, refundNo, "failed");
        break;
      default:
    }
  }
  return { ...state, ...(unknownRefunds.length === 0 && { refunds }) };
}

function withAmount({
  details,
}: {
  readonly details?: { readonly amount?: number | undefined } | undefined;
}) {
  return details?.amount === undefined ? {} : { amount: details.amount };
}

/**
 * Returns where the rows of an order and its refunds contradict the timeline of the order.
 *
 * The three arguments must have been read at the same moment: see `RefundStore.readRecord`.
 *
 * @returns the differences. Empty if there is none. A value that the timeline does not prove is not
 *   compared.
 * @example
 * ```ts
 * import { orThrow } from "@tillkit/core";
 * import { orderDifferences } from "@tillkit/core/operators";
 *
 * const record = await orThrow(ports.refunds.readRecord({ appId: "app_1", bizNo: "biz-1" }));
 * if (record !== undefined)
 *   console.log(orderDifferences(record.order, record.refunds, record.timeline));
 * ```
 */
export function orderDifferences(
  order: Pick<Order, "paymentStatus" | "amount" | "refundedAmount">,
  refunds: readonly Pick<Refund, "refundNo" | "amount" | "status">[],
  timeline: readonly TimelineEvent[],
): readonly OrderDifference[] {
  if (timeline.length === 0) return [];
  const proof = provenState(timeline);
  const differences: OrderDifference[] = [];
  const compare = (
    member: OrderDifference["member"],
    actual: string | number,
    value: string | number | undefined,
    refundNo?: string,
  ) => {
    if (value === undefined || value === actual) return;
    differences.push({ member, stored: actual, proven: value, ...(refundNo !== undefined && { refundNo }) });
  };
  compare("paymentStatus", order.paymentStatus, proof.paymentStatus);
  compare("amount", order.amount, proof.amount);
  if (proof.refunds === undefined) return differences;
  const byNumber = new Map(refunds.map((refund) => [refund.refundNo, refund]));
  let sum = 0;
  for (const [refundNo, { end, amount }] of proof.refunds) {
    if (end === "refunded") sum += amount;
    const row = byNumber.get(refundNo);
    compare("refund-status", row === undefined ? "none" : endOf(row), end, refundNo);
    if (row !== undefined) compare("refund-amount", row.amount, amount, refundNo);
  }
  for (const refund of refunds)
    if (!proof.refunds.has(refund.refundNo)) compare("refund-status", endOf(refund), "none", refund.refundNo);
  const { refundedBefore } = proof;
  if (refundedBefore !== undefined) compare("refundedAmount", order.refundedAmount, refundedBefore + sum);
  else if (order.refundedAmount < sum) compare("refundedAmount", order.refundedAmount, sum);
  return differences;
}

function endOf({ status }: Pick<Refund, "status">): RefundEnd {
  if (status === "FAILED" || status === "WITHDRAWN") return "failed";
  return status === "CONFIRMED" || status === "SETTLED" ? "refunded" : "open";
}

/**
 * Reads an order, and returns where its rows contradict its timeline.
 *
 * @returns the differences. Empty for an order that does not exist.
 * @example
 * ```ts
 * import { findOrderDifferences } from "@tillkit/core/operators";
 *
 * const found = await findOrderDifferences(ports, { appId: "app_1", bizNo: "order-1001" });
 * if (found.isOk() && found.value.length > 0) console.log("The order is damaged.");
 * ```
 */
export function findOrderDifferences(
  ports: Pick<Ports, "refunds">,
  key: OrderKey,
): ResultAsync<readonly OrderDifference[], StorageFailure> {
  return ports.refunds
    .readRecord(key)
    .map((record) =>
      record === undefined ? [] : orderDifferences(record.order, record.refunds, record.timeline),
    );
}

/** An order with its refunds and its timeline, which do not contradict each other. */
export interface OrderRecord extends StoredRecord {
  /** The `seq` of the last event of the timeline. */
  readonly seen: number;
}

/**
 * Reads an order before a change of its money, and checks it like {@link requireIntactRecord}.
 */
export function readOrderRecord(
  ports: Pick<Ports, "refunds">,
  key: OrderKey,
): ResultAsync<OrderRecord, FailureOf<"order.not-found" | "order.damaged" | StorageFailureName>> {
  return ports.refunds.readRecord(key).andThen(requireIntactRecord);
}

/**
 * Checks a record that was read, and returns it with the `seq` of the last event of its timeline.
 *
 * Fails with `order.damaged` if the rows of the order and its refunds contradict its timeline.
 *
 * Every change of the order and of its refunds appends an event. So if the timeline still ends at
 * `seen` when a refund is stored, nothing has changed since the read. The store checks this: see
 * `RefundStore.request`.
 */
export function requireIntactRecord<T extends StoredRecord>(
  record: T | undefined,
): Result<T & Pick<OrderRecord, "seen">, FailureOf<"order.not-found" | "order.damaged">> {
  if (record === undefined) return fail("order.not-found");
  const { order, refunds, timeline } = record;
  if (orderDifferences(order, refunds, timeline).length > 0) return fail("order.damaged");
  return ok({ ...record, seen: timeline.at(-1)?.seq ?? 0 });
}
