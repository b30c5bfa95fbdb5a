import type { DownloadsFailure } from "../../downloads/report.js";
import type { Ports } from "../../ports.js";

/** What is known about the id of a request after it was looked up. */
export type IdOutcome = "known" | "unknown" | "not-looked-up";

/** An attempt to use the id of a client. */
export type IdAttempt =
  | { readonly kind: "allowed"; readonly end: (outcome: IdOutcome) => void }
  /** The address has sent too many unknown ids. */
  | { readonly kind: "refused"; readonly retryAfterMs: number };

/** Limits how often one address can try ids of downloads clients. */
export interface UnknownIdLimiter {
  /**
   * Counts an attempt before the id is looked up. The caller ends an allowed attempt.
   *
   * @param peer - the key of the address: `peerKey`.
   */
  begin(peer: string, clientId: string): IdAttempt;
}

const HOUR = 3_600_000;
/** How often addresses are removed whose attempts no longer count, in milliseconds. */
const SWEEP = 1_000;
/** The key that addresses share if the memory is full. No address has this text. */
const OTHERS = "\n";

/**
 * Creates a limiter of requests with unknown ids, `policy.unknownIdsPerHour` per address.
 *
 * A person who finds an id can read its counts and use up its allowance. A refused request is not
 * looked up, so that its reply is the same for a known and an unknown id. An attempt counts from
 * its start, so that concurrent attempts do not exceed the limit. It stops counting if the id is
 * known. An id that was served to the same address before is never refused, so that a client cannot
 * stop the others behind its address.
 *
 * The memory is bounded: beyond `most` addresses with wrong attempts, all others share one count.
 *
 * @param most - the most addresses, and the most served ids, that are kept.
 */
export function limitUnknownIds(
  { clock, policy }: Pick<Ports, "clock" | "policy">,
  most = 10_000,
): UnknownIdLimiter {
  const interval = Math.floor(HOUR / policy.unknownIdsPerHour);
  /** When the attempts of an address no longer count. Each attempt counts for `interval`. */
  const countUntil = new Map<string, number>();
  /** The addresses and ids that were served, the latest last. */
  const entries = new Set<string>();
  let sweptAt = -Infinity;

  function keyOf(peer: string, now: number): string {
    if (countUntil.has(peer)) return peer;
    if (countUntil.size >= most && Math.abs(now - sweptAt) >= SWEEP) {
      sweptAt = now;
      for (const [key, until] of countUntil) if (until <= now) countUntil.delete(key);
    }
    return countUntil.size < most ? peer : OTHERS;
  }

  function markServed(entry: string): void {
    // A set does not move an entry that it already contains.
    entries.delete(entry);
    entries.add(entry);
    if (entries.size <= most) return;
    const [oldest = ""] = entries;
    entries.delete(oldest);
  }

  return {
    begin(peer, clientId) {
      const entry = `${peer}\n${clientId}`;
      if (entries.has(entry)) {
        markServed(entry);
        return { kind: "allowed", end: () => undefined };
      }
      const now = clock.now();
      const key = keyOf(peer, now);
      // If the clock was set back, earlier attempts count for an hour at most.
      const from = Math.max(now, Math.min(countUntil.get(key) ?? now, now + HOUR));
      const isAllowed = from + interval <= now + HOUR;
      countUntil.set(key, isAllowed ? from + interval : from);
      if (!isAllowed) return { kind: "refused", retryAfterMs: from + interval - now - HOUR };
      return {
        kind: "allowed",
        end(outcome) {
          if (outcome === "unknown") return;
          if (outcome === "known") markServed(entry);
          const remaining = (countUntil.get(key) ?? 0) - interval;
          if (remaining > clock.now()) countUntil.set(key, remaining);
          else countUntil.delete(key);
        },
      };
    },
  };
}

/** Returns what a report says about its id. Only a known id gets as far as the allowance. */
export function idOutcomeOf(failure: DownloadsFailure | undefined): IdOutcome {
  switch (failure?.name) {
    case undefined:
    case "downloads.id-not-found":
    case "downloads.daily-limit-reached":
    case "downloads.fetch-failed":
      return "known";
    case "downloads.id-not-allowed":
      return "unknown";
    case "downloads.parameter-missing":
    case "downloads.invalid-date":
    case "downloads.invalid-date-range":
    case "downloads.date-range-too-long":
    case "downloads.limit-check-failed":
      return "not-looked-up";
  }
}
