import { randomBytes } from "node:crypto";
import { type TimelineEntry, timelineHash } from "@tillkit/core";
import { sealEntry } from "@tillkit/core/ports";
import { makeDue } from "../events/event-delivery-store.js";
import { frozen } from "../state/frozen.js";
import type { MemoryState, StoredOrder } from "../state/memory-state.js";

/**
 * Appends `entry` to the timeline of an order, with the hash of the previous event.
 *
 * Makes the deliveries of the order due if the entry causes an event.
 */
export function append(
  state: Pick<MemoryState, "digest" | "eventHandlers" | "eventDeliveries">,
  { order, timeline }: StoredOrder,
  entry: TimelineEntry,
): void {
  const previousHash = timeline.at(-1)?.hash ?? order.id;
  const sealed = sealEntry(state.digest, entry, () => randomBytes(16).toString("hex"));
  const hash = timelineHash(state.digest, previousHash, sealed);
  const event = frozen({ ...sealed, seq: timeline.length + 1, previousHash, hash });
  timeline.push(event);
  makeDue(state, order, event);
}
