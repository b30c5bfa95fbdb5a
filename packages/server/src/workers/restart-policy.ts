/** A worker that lives for less than this time counts as an early crash, in milliseconds. */
const STABLE_MS = 60_000;
const FIRST_DELAY_MS = 250;
const LONGEST_DELAY_MS = 30_000;
/** After this number of early crashes in a row, a host without workers gives up. */
const MOST_SHORT_LIVES = 5;

/** Decides when a worker that ended is replaced. */
export interface RestartPolicy {
  /**
   * Returns the pause in milliseconds before the next start, after a worker that lived `ms`.
   *
   * The pause is 0 after an end that is no early crash. After early crashes it starts at 250 ms and
   * doubles with each crash, up to 30 seconds.
   */
  delayAfter(ms: number): number;
  /** Returns whether to give up, because workers crash repeatedly and none serves. */
  givesUp(serving: number): boolean;
}

/** Creates the policy of a host, over all its workers. */
export function restartPolicy(): RestartPolicy {
  let shortLives = 0;
  return {
    delayAfter: (ms) => {
      shortLives = ms < STABLE_MS ? shortLives + 1 : 0;
      return shortLives === 0 ? 0 : Math.min(FIRST_DELAY_MS * 2 ** (shortLives - 1), LONGEST_DELAY_MS);
    },
    givesUp: (serving) => serving === 0 && shortLives >= MOST_SHORT_LIVES,
  };
}
