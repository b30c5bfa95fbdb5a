import type { Digest } from "../shared/digest.js";
import type { TimelineEventType } from "./event-details.js";
import type { PaymentStatus } from "./payment-status-moves.js";

/** An event of an order before it is added to the hash chain. */
export interface TimelineEntry {
  readonly type: TimelineEventType;
  /** Epoch milliseconds. */
  readonly at: number;
  /** Who caused the event: `caller`, `wallet`, `expiry`, `reconciler` or `operator:{name}`. */
  readonly actor: string;
  /** The text of the person who acted. Empty if no person acted, or after the text was erased. */
  readonly reason: string;
  /**
   * The facts of the event, as JSON text of its `EventDetails`.
   *
   * Does not name the customer, but may name operators. Absent if the type has no details.
   */
  readonly details?: string;
  readonly from?: PaymentStatus;
  readonly to?: PaymentStatus;
  /**
   * Identifies the cause of the event. `OrderStore.record` stores one entry per type and evidence.
   *
   * It is the digest of the wallet's message, or a text such as the refund's number.
   */
  readonly evidence?: string;
  /** The number of the refund. Absent if the event is not about a refund. */
  readonly refundNo?: string;
  /** Whether a person must look at the order. */
  readonly alarm: boolean;
}

/**
 * An entry whose reason can be erased, while the hash of the event stays valid.
 *
 * The hash covers `reasonDigest` in place of the reason.
 */
export interface SealedEntry extends TimelineEntry {
  /** 32 random hexadecimal digits. Absent if there is no reason, or after it was erased. */
  readonly reasonSalt?: string;
  /**
   * The SHA-256 of the salt, a line feed and the reason. It is kept when the reason is erased.
   *
   * Absent for an entry that never had a reason.
   */
  readonly reasonDigest?: string;
}

/**
 * An event in the hash chain.
 *
 * Each hash covers the previous one, so that a changed or removed event is detected.
 *
 * @see {@link https://github.com/tillkit/tillkit/blob/main/docs/decisions/timeline.md |
 *   Every order has a tamper-evident timeline}
 */
export interface TimelineEvent extends SealedEntry {
  /** 1 for the first event of the order. */
  readonly seq: number;
  /** Hash of the previous event, or the order's id for the first event. */
  readonly previousHash: string;
  /** SHA-256 of `previousHash`, a line feed and {@link timelineText}. */
  readonly hash: string;
}

/**
 * Seals the reason of an entry, so that it can be erased later.
 *
 * Because of the salt, a reader of the digest cannot find an erased reason by trying texts. Stores
 * call `sealEntry` before they append an entry.
 *
 * @param newSalt - returns 32 random hexadecimal digits. Called only for an entry with a reason.
 * @returns the entry with the digest of its reason, or the entry itself if it has no reason.
 * @example
 * ```ts
 * import type { TimelineEntry } from "@tillkit/core";
 * import { sealEntry } from "@tillkit/core/ports";
 *
 * declare const entry: TimelineEntry;
 *
 * const sealed = sealEntry(ports.digest, entry, () => "0123456789abcdef0123456789abcdef");
 * ```
 */
export function sealEntry(
  digest: Pick<Digest, "sha256">,
  entry: TimelineEntry,
  newSalt: () => string,
): SealedEntry {
  if (entry.reason === "") return entry;
  const salt = newSalt();
  return { ...entry, reasonSalt: salt, reasonDigest: reasonDigest(digest, salt, entry.reason) };
}

function reasonDigest(digest: Pick<Digest, "sha256">, salt: string, reason: string): string {
  return digest.sha256(`${salt}\n${reason}`);
}

/**
 * Returns the canonical text of an entry. The hash of the entry covers this text.
 *
 * Contains the digest of a sealed reason in place of the reason. Ends with `refundNo` and `details`
 * only if they are present.
 */
export function timelineText(entry: SealedEntry): string {
  const { type, at, actor, reason, from = null, to = null, evidence = null, alarm } = entry;
  const { refundNo, details, reasonDigest: sha256 } = entry;
  const reasonFact = sha256 === undefined ? reason : { sha256 };
  const facts = [type, at, actor, reasonFact, from, to, evidence, alarm];
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
  entry: SealedEntry,
): string {
  return digest.sha256(`${previousHash}\n${timelineText(entry)}`);
}

/**
 * Returns the `seq` of the first event that breaks the hash chain.
 *
 * Returns `undefined` if the chain is intact. A sealed reason may be missing only before an event
 * of the type `PERSONAL_DATA_ERASED`.
 */
export function findTimelineBreak(
  digest: Pick<Digest, "sha256">,
  orderId: string,
  events: readonly TimelineEvent[],
): number | undefined {
  const erasedBefore = events.findLast(({ type }) => type === "PERSONAL_DATA_ERASED")?.seq ?? 0;
  let previousHash = orderId;
  for (const [index, event] of events.entries()) {
    const follows = event.seq === index + 1 && event.previousHash === previousHash;
    if (!follows || event.hash !== timelineHash(digest, previousHash, event)) return index + 1;
    if (!isReasonIntact(digest, event, event.seq < erasedBefore)) return index + 1;
    previousHash = event.hash;
  }
  return undefined;
}

/** Returns whether a sealed reason is unchanged or erased. The hash protects an unsealed reason. */
function isReasonIntact(
  digest: Pick<Digest, "sha256">,
  { reason, reasonSalt, reasonDigest: seal }: SealedEntry,
  mayBeErased: boolean,
): boolean {
  if (seal === undefined) return true;
  if (reasonSalt === undefined) return mayBeErased && reason === "";
  return reasonDigest(digest, reasonSalt, reason) === seal;
}
