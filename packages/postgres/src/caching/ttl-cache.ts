import { ok, ResultAsync } from "neverthrow";

/** A cache of recently found values by key. */
export interface TtlCache<T> {
  /**
   * Returns the cached value of `key`, or `undefined`. Returns the same object each time.
   *
   * A value is cached for one second from the start of its lookup, or until a change begins.
   */
  getCached(key: string): T | undefined;
  /**
   * Looks up the value of `key` and caches it.
   *
   * Does not cache the value if a change is in progress at the start, or begins before the end.
   */
  find<E>(key: string, look: () => ResultAsync<T | undefined, E>): ResultAsync<T | undefined, E>;
  /** Runs a change of the stored data. Nothing is cached while it runs, even if it fails. */
  change<R, E>(make: () => ResultAsync<R, E>): ResultAsync<R, E>;
}

/** The maximum age of a cached value, in milliseconds. */
const LONGEST = 1_000;
/** The maximum number of cached values. The cache drops the oldest ones first. */
const MOST = 10_000;

/**
 * Creates an empty cache.
 *
 * The age of a value counts from the start of its lookup, because the time of the actual read is
 * unknown.
 * @param now A monotonic clock in milliseconds. A wall clock could go back and extend the age.
 * @see {@link https://github.com/tillkit/tillkit/blob/main/docs/decisions/app-credentials.md |
 *   App secrets are hashes, and reads are cached for one second}
 */
export function ttlCache<T>(now: () => number = () => performance.now()): TtlCache<T> {
  const stored = new Map<string, { readonly value: T; readonly since: number }>();
  let changing = 0;
  let changes = 0;

  const isFresh = (since: number) => now() - since <= LONGEST;

  function keep(key: string, value: T | undefined, since: number): void {
    // A slow lookup that began earlier must not replace a newer value.
    if ((stored.get(key)?.since ?? since) > since) return;
    stored.delete(key);
    if (value !== undefined) stored.set(key, { value, since });
    // A map keeps the insertion order. Expired values are deleted too, so that credentials do not
    // stay in memory.
    for (const [oldest, { since: until }] of stored) {
      if (stored.size <= MOST && isFresh(until)) break;
      stored.delete(oldest);
    }
  }

  return {
    getCached: (key) => {
      const entry = stored.get(key);
      return entry !== undefined && isFresh(entry.since) ? entry.value : undefined;
    },
    find: (key, look) => {
      const since = now();
      const before = changes;
      const undisturbed = changing === 0;
      // `andThen`, because `map` takes several times as long, and each notification runs this code.
      return look().andThen((value) => {
        if (undisturbed && changes === before) keep(key, value, since);
        return ok(value);
      });
    },
    change: (make) => {
      changing += 1;
      changes += 1;
      // Changes are rare and can affect several keys, so the whole cache is cleared.
      stored.clear();
      const attempt = async () => {
        try {
          return await make();
        } finally {
          changing -= 1;
        }
      };
      return new ResultAsync(attempt());
    },
  };
}
