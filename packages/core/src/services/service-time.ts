/** The time that one paid order added to a service. */
export interface ServiceGrant {
  /** When the order became PAID, epoch milliseconds. */
  readonly grantedAt: number;
  readonly durationMs: number;
}

/**
 * Returns when a service ends after a paid order extended it.
 *
 * A running service continues for `durationMs` after its present end. An expired service starts
 * again at `at`. The memory store calls this function. The PostgreSQL store has the same formula in
 * its statements. `refundStoreContract` compares a store with {@link expireTimeOf}.
 *
 * @param expireTime - the present end, epoch milliseconds.
 * @param at - when the order became PAID, epoch milliseconds.
 * @returns epoch milliseconds.
 */
export function extendedExpireTime(expireTime: number, at: number, durationMs: number): number {
  return Math.max(at, expireTime) + durationMs;
}

/**
 * Returns when the time of `grants` runs out, or `undefined` if there are no grants.
 *
 * `grants` must be sorted oldest first. Each grant extends the service like
 * {@link extendedExpireTime}. The result therefore equals the maximum, over all grants, of the time
 * of the grant plus its duration and all later durations. After a full refund, stores compute the
 * end without the grant of that order.
 */
export function expireTimeOf(grants: readonly ServiceGrant[]): number | undefined {
  let latest: number | undefined;
  let fromHereOn = 0;
  for (const { grantedAt, durationMs } of grants.toReversed()) {
    fromHereOn += durationMs;
    latest = Math.max(latest ?? -Infinity, grantedAt + fromHereOn);
  }
  return latest;
}
