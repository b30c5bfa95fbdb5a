import { randomBytes } from "node:crypto";
import type { TimelineEntry } from "@tillkit/core";
import { SHA256 } from "../sql/chained-hash.js";
import { sealEntry, type SealedEntry, timelineText } from "@tillkit/core/ports";

/** Seals the reason of an entry, unless it is sealed. */
export function sealed(entry: SealedEntry | TimelineEntry): SealedEntry {
  if ("reasonDigest" in entry) return entry;
  return sealEntry(SHA256, entry, () => randomBytes(16).toString("hex"));
}

/**
 * Returns an entry as statements append it.
 *
 * The first line is its canonical text. If the entry has a reason, the second line is a JSON array
 * of the reason and its salt. The hash of the event covers only the first line.
 */
export function appendedText(entry: TimelineEntry): string {
  const given = sealed(entry);
  const { reason, reasonSalt } = given;
  const text = timelineText(given);
  return reasonSalt === undefined ? text : `${text}\n${JSON.stringify([reason, reasonSalt])}`;
}
