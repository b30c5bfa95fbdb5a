import type { Clock } from "@tillkit/core";
import type { ResultAsync } from "neverthrow";

/**
 * Remembers results for a short time, so that many open pages cause one read.
 *
 * Concurrent calls with the same key share one read. A failure is not remembered.
 *
 * @param duration - in milliseconds.
 */
export function remembered<T, E>(clock: Pick<Clock, "now">, duration: number) {
  const entries = new Map<string, { readonly until: number; readonly result: ResultAsync<T, E> }>();
  return (key: string, read: () => ResultAsync<T, E>): ResultAsync<T, E> => {
    const now = clock.now();
    for (const [old, { until }] of entries) if (until <= now) entries.delete(old);
    const known = entries.get(key);
    if (known !== undefined) return known.result;
    const result = read().mapErr((failure) => {
      if (entries.get(key)?.result === result) entries.delete(key);
      return failure;
    });
    entries.set(key, { until: now + duration, result });
    return result;
  };
}
