import type { Digest } from "../shared/digest.js";
import type { TimelineEventType } from "./event-details.js";
import type { PaymentStatus } from "./payment-status.js";

/** An event of an order before it is added to the hash chain. */
export interface TimelineEntry {
  readonly type: TimelineEventType;
  /** Epoch milliseconds. */
  readonly at: number;
  /** Who caused it: `caller`, `wallet`, `expiry`, `reconciler` or `operator:{name}`. */
  readonly actor: string;
  /**
   * What the person who acted wrote. Empty if no person acted.
   *
   * Entries of earlier versions have an English sentence about the event here: see `readEvent`.
   */
  readonly reason: string;
  /**
   * The facts of the event, as JSON text of its `EventDetails`.
   *
   * Contains no personal data. Absent if the type has no details, and for events of earlier
   * versions.
   */
  readonly details?: string;
  readonly from?: PaymentStatus;
  readonly to?: PaymentStatus;
  /**
   * Identifies the cause of the event. `OrderStore.record` stores one entry per type and evidence.
   *
   * The digest of the wallet's message, or a text such as the refund's number.
   */
  readonly evidence?: string;
  /** The refund of the event. Absent for other events, and for events of earlier versions. */
  readonly refundNo?: string;
  /** Whether a person must look at the order. */
  readonly alarm: boolean;
}

/**
 * An event in the hash chain.
 *
 * Each hash covers the previous one, so that a changed or removed event is detected.
 *
 * @see {@link https://github.com/tillkit/tillkit/blob/main/docs/decisions/timeline-hash-chain.md |
 *   Every order has a tamper-evident timeline}
 */
export interface TimelineEvent extends TimelineEntry {
  /** 1 for the first event of the order. */
  readonly seq: number;
  /** Hash of the previous event, or the order's id for the first event. */
  readonly previousHash: string;
  /** SHA-256 of `previousHash`, a line feed and {@link timelineText}. */
  readonly hash: string;
}

/**
 * Returns the canonical text of an entry. Its hash covers this text.
 *
 * Ends with `refundNo` and `details` only if they are present, so that the hashes of earlier
 * versions stay valid.
 */
export function timelineText(entry: TimelineEntry): string {
  const { type, at, actor, reason, from = null, to = null, evidence = null, alarm } = entry;
  const { refundNo, details } = entry;
  const facts = [type, at, actor, reason, from, to, evidence, alarm];
  if (details !== undefined) return JSON.stringify([...facts, refundNo ?? null, details]);
  return JSON.stringify(refundNo === undefined ? facts : [...facts, refundNo]);
}

/**
 * Returns the hash of an entry that follows `previousHash`.
 *
 * Storage computes the same hash while it holds the lock of the order's row.
 */
export function timelineHash(
  digest: Pick<Digest, "sha256">,
  previousHash: string,
  entry: TimelineEntry,
): string {
  return digest.sha256(`${previousHash}\n${timelineText(entry)}`);
}

/**
 * Returns the `seq` of the first event that breaks the hash chain.
 *
 * Returns `undefined` if the chain is intact.
 */
export function findTimelineBreak(
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
