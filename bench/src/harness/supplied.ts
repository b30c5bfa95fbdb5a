import type { Contestant } from "./row.js";

/** Work items that can be used once, such as orders that wait for their payment. */
export interface Supply {
  /** Operations per second, of the fastest round that is expected at first. */
  readonly perSecond: number;
  /** Prepares the items with the numbers from `first` to `last`. Its time is not measured. */
  readonly prepare: (first: number, last: number) => Promise<void>;
}

/** A contestant that takes a numbered item for each operation. */
export interface TakingContestant extends Contestant {
  /** Resolves with the number of items taken so far. */
  readonly taken: () => Promise<number>;
}

/** Before a round, this many times the items of the fastest round so far must be left. */
const RESERVE = 1.5;
/** How many rounds a new lot of items suffices for, so that preparing seldom interrupts. */
const ROUNDS_PER_LOT = 4;

/**
 * Prepares items before a round of `contestant` if fewer are left than the round may need.
 *
 * The need follows from the fastest round so far, because the speed depends on the machine.
 */
export function supplied(contestant: TakingContestant, { perSecond, prepare }: Supply): Contestant {
  let fastest = perSecond;
  let prepared = 0;
  const { taken, play, ...rest } = contestant;
  const fill = async (needed: number): Promise<void> => {
    if (prepared - (await taken()) >= needed) return;
    const last = prepared + ROUNDS_PER_LOT * needed;
    await prepare(prepared + 1, last);
    prepared = last;
  };
  return {
    ...rest,
    play: async (ms) => {
      await fill(Math.ceil((RESERVE * fastest * ms) / 1_000));
      const round = await play(ms);
      fastest = Math.max(fastest, round.perSecond);
      return round;
    },
    ...(rest.answer === undefined
      ? {}
      : {
          answer: async () => {
            await fill(1);
            return rest.answer?.();
          },
        }),
  };
}
