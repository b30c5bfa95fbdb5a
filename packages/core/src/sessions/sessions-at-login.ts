import { isLiveSession, type Session } from "./session.js";

/**
 * Divides the stored sessions of a customer at a login into those that stay and those that end.
 *
 * The oldest live sessions end, so that the new one fits in `maxLive`. The new session never ends,
 * even if it is older than the others. Expired sessions are in neither list. `openedAt` is the
 * `gmtCreate` of the new session, in epoch milliseconds.
 *
 * @returns both lists, oldest first.
 * @example
 * ```ts
 * import { sessionsAtLogin } from "@tillkit/core/ports";
 *
 * const { evicted } = sessionsAtLogin([], { openedAt: 1_767_225_600_000, maxLive: 5 });
 * ```
 */
export function sessionsAtLogin(
  open: readonly Session[],
  { openedAt, maxLive }: { readonly openedAt: number; readonly maxLive: number },
): { readonly kept: readonly Session[]; readonly evicted: readonly Session[] } {
  const live = open
    .filter((session) => isLiveSession(session, openedAt))
    .toSorted(
      (left, right) => left.gmtCreate - right.gmtCreate || (left.tokenHash < right.tokenHash ? -1 : 1),
    );
  const evictedCount = Math.max(0, live.length + 1 - maxLive);
  return { kept: live.slice(evictedCount), evicted: live.slice(0, evictedCount) };
}
