import { createHash } from "node:crypto";

/** Maximum number of stored digests. A digest and its place in the set take about 150 bytes. */
const CAPACITY = 20_000;

/**
 * Creates a function that returns whether a receipt is the first one of its message.
 *
 * Carriers repeat reports. Only digests of the latest receipts are kept, and only in memory.
 */
export function firstReceipts(capacity = CAPACITY): (carrier: string, id: string | undefined) => boolean {
  const seen = new Set<string>();
  return (carrier, id) => {
    if (id === undefined) return true;
    const digest = createHash("sha256").update(`${carrier} ${id}`).digest("base64");
    if (seen.has(digest)) return false;
    seen.add(digest);
    // A set lists its oldest entry first.
    for (const oldest of seen) {
      if (seen.size <= capacity) break;
      seen.delete(oldest);
    }
    return true;
  };
}
