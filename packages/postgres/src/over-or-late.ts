/** For so long, in milliseconds, a statement keeps later calls waiting: one that waits for a lock or a silent server must not hold up everybody. */
const PATIENCE = 50;

/** Ends when `work` has come to its end, whatever that is, or takes too long. */
export function overOrLate(work: Promise<unknown>): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, PATIENCE);
    const over = (): void => {
      clearTimeout(timer);
      resolve();
    };
    work.then(over, over);
  });
}
