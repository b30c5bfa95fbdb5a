import type { Session } from "@tillkit/core";

/**
 * Selects the oldest live sessions of a customer to end, so that a new session fits in `maxLive`.
 *
 * The new session always stays, even if its `gmtCreate` is older than that of the others. Expired
 * sessions are in neither list.
 *
 * @param openedAt - The `gmtCreate` of the new session, in epoch milliseconds.
 */
export function evictOldestSessions(
  sessions: readonly Session[],
  openedAt: number,
  maxLive: number,
): { readonly kept: readonly Session[]; readonly evicted: readonly Session[] } {
  const live = sessions
    .filter(({ expiresAt }) => openedAt < expiresAt)
    .sort((left, right) => left.gmtCreate - right.gmtCreate);
  const evicted = live.slice(0, Math.max(0, live.length + 1 - maxLive));
  return { kept: live.slice(evicted.length), evicted };
}
