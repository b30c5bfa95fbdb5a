import type { DownloadsFailure } from "../../downloads/report.js";
import type { Ports } from "../../ports.js";

/** Whether an id is known. `not-looked-up`: the failure does not show whether the id is known. */
export type IdOutcome = "known" | "unknown" | "not-looked-up";

/** Whether a request may look up its id. */
export type IdAttempt =
  | { readonly kind: "allowed"; readonly end: (outcome: IdOutcome) => void }
  /** The address has sent too many unknown ids. */
  | { readonly kind: "refused"; readonly retryAfterMs: number };

/** Limits how often one address can try ids of downloads clients. */
export interface UnknownIdLimiter {
  /**
   * Counts an attempt before the id is looked up. The caller must call `end` of an allowed attempt.
   *
   * @param peer - the key of the address, as `peerKey` returns it.
   */
  begin(peer: string, clientId: string): IdAttempt;
}

const HOUR = 3_600_000;
/**
 * The minimum milliseconds between two removals of addresses whose attempts no longer count.
 */
const SWEEP = 1_000;
/** The key that addresses share if the memory is full. No address has this text. */
const OTHERS = "\n";

/**
 * Creates a limiter of requests with unknown ids, `policy.unknownIdsPerHour` per address.
 *
 * A person who guesses an id can read the download counts and use up the allowance of this id. The
 * id of a refused request is not looked up, so that the reply is the same for a known and an
 * unknown id. An attempt counts from its start, so that concurrent attempts do not exceed the
 * limit. When it ends, it stops counting, unless the id was unknown.
 *
 * If the same address used an id successfully before, requests with this id are not refused. One
 * client can therefore not block other clients behind the same address.
 *
 * The memory is bounded: if `most` addresses have a count, all further addresses share one count.
 *
 * @param most - the largest number of addresses with a count, and of pairs of address and served
 *   id, that are kept.
 */
export function limitUnknownIds(
  { clock, policy }: Pick<Ports, "clock" | "policy">,
  most = 10_000,
): UnknownIdLimiter {
  const interval = Math.floor(HOUR / policy.unknownIdsPerHour);
  /**
   * The time at which the last attempt of an address stops counting, by address.
   *
   * Each attempt moves this time by `interval`.
   */
  const countUntil = new Map<string, number>();
  /** The pairs of address and id that were used successfully, the latest last. */
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
      // If the clock was set back, earlier attempts count for at most an hour.
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

/**
 * Returns what the result of a report shows about its id.
 *
 * The allowance is checked only for a known id.
 */
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
