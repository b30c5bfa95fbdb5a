import { ResultAsync } from "neverthrow";

/** What was found lately, by key, so that it need not be looked up again. */
export interface Remembered<T> {
  /** What `find` gave for `key`, begun at most one second ago and with no change begun since; the same object each time. */
  recall(key: string): T | undefined;
  /** Looks the value of `key` up, and remembers it unless a change begins before the end, or was under way at the beginning. */
  find<E>(key: string, look: () => ResultAsync<T | undefined, E>): ResultAsync<T | undefined, E>;
  /** Changes what is stored. From its beginning to its end, successful or not, nothing is recalled or remembered. */
  change<R, E>(make: () => ResultAsync<R, E>): ResultAsync<R, E>;
}

/** How old what is recalled may be, in milliseconds. */
const LONGEST = 1_000;
/** How many values are remembered; the oldest are forgotten first. */
const MOST = 10_000;

/**
 * Opens an empty memory. `now` is in milliseconds and never goes back: a clock that is set must not make anything last longer. Age counts from the
 * beginning of the look-up, because nobody knows at which moment of it the storage looked.
 */
export function remembered<T>(now: () => number = () => performance.now()): Remembered<T> {
  const held = new Map<string, { readonly value: T; readonly since: number }>();
  let changing = 0;
  let changes = 0;

  const isFresh = (since: number) => now() - since <= LONGEST;

  function keep(key: string, value: T | undefined, since: number): void {
    // A look-up that took longer than another which began after it knows less.
    if ((held.get(key)?.since ?? since) > since) return;
    held.delete(key);
    if (value !== undefined) held.set(key, { value, since });
    // A map keeps the order of insertion. What is too old goes, too: credentials should not stay for longer than they are of use.
    for (const [oldest, { since: until }] of held) {
      if (held.size <= MOST && isFresh(until)) break;
      held.delete(oldest);
    }
  }

  return {
    recall: (key) => {
      const entry = held.get(key);
      return entry !== undefined && isFresh(entry.since) ? entry.value : undefined;
    },
    find: (key, look) => {
      const since = now();
      const before = changes;
      const undisturbed = changing === 0;
      return look().map((value) => {
        if (undisturbed && changes === before) keep(key, value, since);
        return value;
      });
    },
    change: (make) => {
      changing += 1;
      changes += 1;
      // Changes are rare, and one may be about several keys: everything is forgotten.
      held.clear();
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
