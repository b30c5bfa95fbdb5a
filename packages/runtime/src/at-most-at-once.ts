/**
 * Returns a function that runs at most `count` pieces of work at a time.
 *
 * Other pieces wait, and start in the order of the calls.
 */
export function atMostAtOnce(count: number): <T>(work: () => Promise<T>) => Promise<T> {
  const waiting: (() => void)[] = [];
  let running = 0;
  return async (work) => {
    if (running < count) running += 1;
    else await new Promise<void>((resolve) => waiting.push(resolve));
    try {
      return await work();
    } finally {
      const next = waiting.shift();
      // The next piece takes the place of this one.
      if (next === undefined) running -= 1;
      else next();
    }
  };
}
