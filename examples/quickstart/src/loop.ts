/** Periodic background work whose rounds never overlap. */
export interface Loop {
  /** Runs one round that begins now or later, and resolves when it has ended. */
  round(): Promise<void>;
  /** Starts no further round and waits for the current one. */
  stop(): Promise<void>;
}

/**
 * Runs `work` every `interval` milliseconds, and skips a round while another one runs.
 *
 * `work` must not reject. The timer does not keep the process alive.
 */
export function startLoop(work: () => Promise<void>, interval: number): Loop {
  let underWay: Promise<void> | undefined;

  // A requested round waits for the current one, which may have read the clock before the request.
  function round(): Promise<void> {
    const mine = (underWay ?? Promise.resolve()).then(work).finally(() => {
      if (underWay === mine) underWay = undefined;
    });
    underWay = mine;
    return mine;
  }

  const timer = setInterval(() => {
    if (underWay === undefined) void round();
  }, interval);
  timer.unref();

  return {
    round,
    stop: async () => {
      clearInterval(timer);
      await underWay;
    },
  };
}
