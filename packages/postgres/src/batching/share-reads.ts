import { settledOrTimeout } from "./settled-or-timeout.js";

/**
 * Shares the result of a read between concurrent calls with the same arguments.
 *
 * If no read is running, a call reads immediately. Calls during a read share the next read, which
 * starts when the running one settles, or after 50 ms. So each call sees all data written before
 * it. Results are not cached.
 */
export function shareReads<A extends readonly string[], R>(
  read: (...texts: A) => Promise<R>,
): (...texts: A) => Promise<R> {
  const lines = new Map<string, SharedCall<R>>();
  const begin = (key: string, texts: A): Promise<R> => {
    const answer = read(...texts);
    const line: SharedCall<R> = { over: settledOrTimeout(answer), next: undefined };
    lines.set(key, line);
    void line.over.then(() => {
      if (line.next === undefined) lines.delete(key);
    });
    return answer;
  };
  return (...texts) => {
    const key = JSON.stringify(texts);
    const line = lines.get(key);
    if (line === undefined) return begin(key, texts);
    line.next ??= line.over.then(() => begin(key, texts));
    return line.next;
  };
}

/** A running read, and the next read that later calls wait for. */
interface SharedCall<R> {
  readonly over: Promise<void>;
  next: Promise<R> | undefined;
}
