/**
 * How long a statement delays later calls at most, in milliseconds.
 *
 * A statement that waits for a lock or an unresponsive server must not delay other calls longer.
 */
const PATIENCE = 50;

/** Resolves when `work` settles, or after 50 ms. Never rejects. */
export function settledOrTimeout(work: Promise<unknown>): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, PATIENCE);
    const over = (): void => {
      clearTimeout(timer);
      resolve();
    };
    work.then(over, over);
  });
}
