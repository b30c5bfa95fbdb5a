import { isDeepStrictEqual } from "node:util";
import { isPrecise, PRECISION } from "./precision.js";
import type { BenchRow, Contestant, Played, Round } from "./row.js";
import { keptWarm, WARM_UPS, warmUp } from "./warm-up.js";

/** How long to measure, and callbacks. */
export interface MeasureOptions {
  /**
   * The largest number of rounds. A row with short rounds has ten times as many, a tenth as long.
   */
  readonly rounds: number;
  readonly roundMs: number;
  /** The length of a round of the warm-up. Defaults to `roundMs`. */
  readonly warmUpMs?: number;
  /** How many operations make a contestant warm. */
  readonly warmWorks: number;
  /** The largest number of rounds of a warm-up, if it is smaller than usual. */
  readonly warmRounds?: number;
  /** Runs between rounds, outside the measured time: before each round, or each tenth short one. */
  readonly beforeRound?: () => void;
  /** Reports the end of each round. Round 0 is the warm-up. */
  readonly onRound?: (round: number, rounds: number, speeds: ReadonlyMap<string, number>) => void;
}

/** A row with short rounds has this many times as many rounds. */
const SHORT_ROUNDS = 10;

/**
 * Runs the contestants in turns (A B C A B C …) after an uncounted warm-up, and closes the row.
 *
 * Ends before the largest number of rounds if the rounds determine all targets exactly enough.
 * Rejects if the answers differ, because the contestants would not do the same operation.
 */
export async function measure(row: BenchRow, options: MeasureOptions): Promise<readonly Played[]> {
  const { beforeRound, onRound } = options;
  const times = row.shortRounds ? SHORT_ROUNDS : 1;
  const rounds = options.rounds * times;
  const roundMs = options.roundMs / times;
  const played = row.contestants.map((contestant) => ({
    contestant,
    name: contestant.name,
    role: contestant.role,
    play: contestant.startsAnew ? contestant.play : keptWarm(contestant),
    rounds: new Array<Round>(),
  }));
  try {
    await compareAnswers(row.contestants);
    const warmed = new Map<string, number>();
    for (const { name, contestant, play } of played)
      warmed.set(name, (await warmUpOf({ ...contestant, play }, row, options)).perSecond);
    onRound?.(0, rounds, warmed);
    for (let round = 1; round <= rounds; round += 1) {
      if (round % times === 0) beforeRound?.();
      for (const { play, rounds: kept } of played) kept.push(await play(roundMs));
      onRound?.(
        round,
        rounds,
        new Map(played.map((each) => [each.name, each.rounds.at(-1)?.perSecond ?? 0])),
      );
      if (round >= PRECISION.atLeast * times && row.targets.length > 0 && isPrecise(played, row.targets))
        break;
    }
  } finally {
    for (const { close } of row.contestants) await close?.();
    await row.close?.();
  }
  return played.map(({ name, role, rounds: kept }) => ({ name, role, rounds: kept }));
}

function warmUpOf(contestant: Contestant, row: BenchRow, options: MeasureOptions): Promise<Round> {
  const { roundMs, warmUpMs = roundMs, warmWorks, warmRounds = Number.POSITIVE_INFINITY } = options;
  const usual = WARM_UPS[contestant.startsAnew ? "once" : (row.warmUp ?? "usual")];
  const atMost = Math.min(usual.atMost, warmRounds);
  return warmUp(contestant, warmUpMs, warmWorks, { ...usual, atMost });
}

async function compareAnswers(contestants: readonly Contestant[]): Promise<void> {
  const first: { name: string; answer: unknown }[] = [];
  for (const { name, answer } of contestants) {
    if (answer === undefined) continue;
    const given = await answer();
    const [standard] = first;
    if (standard === undefined) first.push({ name, answer: given });
    else if (!isDeepStrictEqual(standard.answer, given))
      throw new Error(
        [
          `"${standard.name}" and "${name}" do not answer the same, so they cannot be compared.`,
          JSON.stringify(standard.answer),
          JSON.stringify(given),
        ].join("\n"),
      );
  }
}
