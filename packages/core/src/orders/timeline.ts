import type { Digest } from "../shared/digest.js";
import type { PaymentStatus } from "./order.js";

/** What can happen to an order. */
export type TimelineEventType =
  | "CREATED"
  | "PAID"
  | "LATE_PAYMENT"
  | "CLOSED"
  | "PREPAYMENT_REJECTED"
  | "MISMATCH"
  | "UNKNOWN_REFUND"
  | "REFUND_REQUESTED"
  | "REFUND_SENT"
  | "REFUND_CONFIRMED"
  | "REFUND_REFUSED"
  | "REFUND_FAILED"
  | "REFUND_WAITING_FOR_FUNDS"
  | "REFUND_ABNORMAL"
  | "REFUND_PROCESSING"
  | "REFUND_PAYOUT"
  | "REFUND_PAYOUT_REFUSED"
  | "REFUND_OVERDUE"
  | "REFUND_SETTLED"
  | "REFUND_PAID_TWICE"
  | "REFUNDED";

/** One thing that happened to an order, before it has its place in the chain. */
export interface TimelineEntry {
  readonly type: TimelineEventType;
  /** Epoch milliseconds. */
  readonly at: number;
  /** Who did it: `caller`, `wallet`, `expiry`, `reconciler`, or `operator:{name}`. */
  readonly actor: string;
  /** Why, in words for an operator. */
  readonly reason: string;
  readonly from?: PaymentStatus;
  readonly to?: PaymentStatus;
  /** Digest of the wallet's message this rests on. The same type with the same evidence is recorded once. */
  readonly evidence?: string;
  /** Whether a person must look at it. */
  readonly alarm: boolean;
}

/** An entry in its place: each hash covers the hash before it, so that a changed or removed event shows. */
export interface TimelineEvent extends TimelineEntry {
  /** 1 for the first event of the order. */
  readonly seq: number;
  /** The hash of the event before, or the order's id for the first. */
  readonly previousHash: string;
  /** SHA-256 of `previousHash`, a line feed, and `timelineText`. */
  readonly hash: string;
}

/** The canonical text of an entry: what its hash covers and what an adapter may store. */
export function timelineText(entry: TimelineEntry): string {
  const { type, at, actor, reason, from = null, to = null, evidence = null, alarm } = entry;
  return JSON.stringify([type, at, actor, reason, from, to, evidence, alarm]);
}

/** The hash of an entry that follows `previousHash`. Storage computes the same under the lock of the order's row. */
export function timelineHash(
  digest: Pick<Digest, "sha256">,
  previousHash: string,
  entry: TimelineEntry,
): string {
  return digest.sha256(`${previousHash}\n${timelineText(entry)}`);
}

/** The `seq` of the first event whose hash does not follow from the one before, or `undefined` when the chain is whole. */
export function brokenLink(
  digest: Pick<Digest, "sha256">,
  orderId: string,
  events: readonly TimelineEvent[],
): number | undefined {
  let previousHash = orderId;
  for (const [index, event] of events.entries()) {
    const follows = event.seq === index + 1 && event.previousHash === previousHash;
    if (!follows || event.hash !== timelineHash(digest, previousHash, event)) return index + 1;
    previousHash = event.hash;
  }
  return undefined;
}
