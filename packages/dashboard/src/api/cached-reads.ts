import type { Clock } from "@tillkit/core";
import type { ResultAsync } from "neverthrow";

/**
 * Caches results for a short time, so that many open pages cause one read.
 *
 * Concurrent calls with the same key share one read. A failure is not cached.
 *
 * @param maxAge - in milliseconds, from the start of the read.
 */
export function cachedReads<T, E>(clock: Pick<Clock, "now">, maxAge: number) {
  const entries = new Map<string, { readonly until: number; readonly result: ResultAsync<T, E> }>();
  return (key: string, read: () => ResultAsync<T, E>): ResultAsync<T, E> => {
    const now = clock.now();
    for (const [old, { until }] of entries) if (until <= now) entries.delete(old);
    const cached = entries.get(key);
    if (cached !== undefined) return cached.result;
    const result = read().mapErr((failure) => {
      if (entries.get(key)?.result === result) entries.delete(key);
      return failure;
    });
    entries.set(key, { until: now + maxAge, result });
    return result;
  };
}
