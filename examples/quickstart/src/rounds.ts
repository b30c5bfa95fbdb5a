/** Work that is done again and again beside the requests, never twice at once. */
export interface Rounds {
  /** One round that begins no earlier than now. Resolves when it is over. */
  round(): Promise<void>;
  /** Starts no further round by itself and waits for the one under way. */
  stop(): Promise<void>;
}

/** Does `work`, which must not reject, every `interval` milliseconds; a round that falls into another is left out. The timer keeps no process alive. */
export function startRounds(work: () => Promise<void>, interval: number): Rounds {
  let underWay: Promise<void> | undefined;

  // Rounds asked for meanwhile wait for the one that runs: it may have looked at the clock before they were asked for.
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
