import type { AttemptGrant, AttemptTake } from "./sign-in-attempt-store.js";

/** The attempts of one subject. */
export interface CountedAttempts {
  readonly limit: number;
  /** The times of the attempts, oldest first, epoch milliseconds. */
  readonly times: readonly number[];
}

/**
 * Returns the times of attempts that still count, oldest first.
 *
 * @returns the times within the window before `at`, and later ones if the clock was set back.
 * @example
 * ```ts
 * import { countingAttempts } from "@tillkit/core/ports";
 *
 * countingAttempts([1_000, 5_000], { at: 6_000, window: 2_000 }); // [5_000]
 * ```
 */
export function countingAttempts(times: readonly number[], { at, window }: AttemptTake): readonly number[] {
  return times.filter((time) => time > at - window);
}

/**
 * Decides whether an attempt may be made. For adapters of `SignInAttemptStore`.
 *
 * @param subjects - the attempts of each subject that still count.
 * @returns whether every subject has an attempt left. If not, `retryAt` is the time at which every
 *   subject has one again.
 * @example
 * ```ts
 * import { decideAttempt } from "@tillkit/core/ports";
 *
 * const attempt = { at: 6_000, window: 2_000 };
 * decideAttempt([{ limit: 1, times: [5_000] }], attempt); // { granted: false, retryAt: 7_000 }
 * ```
 */
export function decideAttempt(subjects: readonly CountedAttempts[], { window }: AttemptTake): AttemptGrant {
  const ends = subjects.flatMap(({ limit, times }) => {
    // When `blocking` no longer counts, fewer than `limit` attempts count.
    const blocking = times[times.length - limit];
    return blocking === undefined ? [] : [blocking + window];
  });
  return ends.length === 0 ? { granted: true } : { granted: false, retryAt: Math.max(...ends) };
}
