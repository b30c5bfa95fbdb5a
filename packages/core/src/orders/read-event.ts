import { type EventDetails, parseEventDetails, type TimelineEventType } from "./event-details.js";
import type { TimelineEntry } from "./timeline.js";

/** What an event of a timeline states. */
export interface EventFacts<T extends TimelineEventType> {
  readonly type: T;
  /** Absent if the stored details cannot be read. */
  readonly details?: EventDetails[T] | undefined;
  /** The text that a person wrote. Empty if no person acted, or after the text was erased. */
  readonly reason: string;
  readonly refundNo?: string | undefined;
}

/**
 * Reads what an event states.
 *
 * @returns the details of the event, and the text that a person wrote.
 * @example
 * ```ts
 * import { readEvent } from "@tillkit/core/operators";
 *
 * const facts = await ports.orders
 *   .timeline({ appId: "app_1", bizNo: "biz-1" })
 *   .map((timeline) => timeline.map(readEvent));
 * ```
 */
export function readEvent<T extends TimelineEventType>(
  entry: Pick<TimelineEntry, "reason" | "details" | "refundNo"> & { readonly type: T },
): EventFacts<T> {
  const { type, reason, details, refundNo } = entry;
  return { type, details: parseEventDetails(type, details), reason, refundNo };
}
