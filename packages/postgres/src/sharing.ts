import { overOrLate } from "./over-or-late.js";

/**
 * A read whose calls of the same texts share one answer when they come while another is under way: the next read begins when that one has ended, and
 * is for all of them. So each sees whatever was written before it was called, and nothing is kept. A call that is by itself reads at once.
 */
export function sharing<A extends readonly string[], R>(
  read: (...texts: A) => Promise<R>,
): (...texts: A) => Promise<R> {
  const lines = new Map<string, Line<R>>();
  const begin = (key: string, texts: A): Promise<R> => {
    const answer = read(...texts);
    const line: Line<R> = { over: overOrLate(answer), next: undefined };
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

/** A read that is under way, and the one that those wait for who came later. */
interface Line<R> {
  readonly over: Promise<void>;
  next: Promise<R> | undefined;
}
