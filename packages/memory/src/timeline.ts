import { type Digest, type TimelineEntry, timelineHash } from "@tillkit/core";
import { frozen } from "./frozen.js";
import type { StoredOrder } from "./memory-state.js";

/** Appends `entry` to the timeline of an order, with the hash of the previous event. */
export function append(
  digest: Pick<Digest, "sha256">,
  { order, timeline }: StoredOrder,
  entry: TimelineEntry,
): void {
  const previousHash = timeline.at(-1)?.hash ?? order.id;
  const hash = timelineHash(digest, previousHash, entry);
  timeline.push(frozen({ ...entry, seq: timeline.length + 1, previousHash, hash }));
}
