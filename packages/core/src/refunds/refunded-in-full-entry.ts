import { eventWith } from "../orders/event-details.js";
import type { TimelineEntry } from "../orders/timeline.js";

/** Returns the timeline entry for the refund that completes the order's whole amount. */
export function refundedInFullEntry(
  proof: Pick<TimelineEntry, "at" | "actor" | "evidence" | "refundNo">,
): TimelineEntry {
  return {
    ...proof,
    ...eventWith("REFUNDED", {}),
    from: "PAID",
    to: "REFUND",
    alarm: false,
  };
}
