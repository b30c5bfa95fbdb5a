import { isDeepStrictEqual } from "node:util";
import type { Contestant, Played, Round, BenchRow } from "./row.js";

/** How long to measure, and a callback for progress. */
export interface MeasureOptions {
  readonly rounds: number;
  readonly roundMs: number;
  /** How many operations make a contestant warm. */
  readonly warmWorks: number;
  /** Reports the end of each round. Round 0 is the warm-up. */
  readonly onRound?: (round: number, rounds: number, speeds: ReadonlyMap<string, number>) => void;
}

/**
 * The number of rounds before the measurement: at least, at most, and until a contestant is warm.
 *
 * V8 compiles code that has run often, so a slow contestant needs more rounds to reach its usual
 * speed. It is warm after `times` the usual number of operations.
 */
export const WARM_UPS = {
  short: { atLeast: 2, atMost: 2, times: 0 },
  usual: { atLeast: 2, atMost: 16, times: 1 },
  long: { atLeast: 2, atMost: 120, times: 20 },
} as const;

/**
 * Runs the contestants in turns (A B C A B C …) after an uncounted warm-up, and closes the row.
 *
 * Rejects if their answers differ, because they would not do the same operation.
 */
export async function measure(
  row: BenchRow,
  { warmWorks, onRound, ...options }: MeasureOptions,
): Promise<readonly Played[]> {
  const times = row.shortRounds ? 10 : 1;
  const rounds = options.rounds * times;
  const roundMs = options.roundMs / times;
  const played = row.contestants.map((contestant) => ({ contestant, rounds: new Array<Round>() }));
  try {
    await compareAnswers(row.contestants);
    for (let round = 0; round <= rounds; round += 1) {
      const speeds = new Map<string, number>();
      for (const { contestant, rounds: kept } of played) {
        const seen = await (round === 0
          ? warmUp(contestant, options.roundMs, warmWorks, row.warmUp)
          : contestant.play(roundMs));
        speeds.set(contestant.name, seen.perSecond);
        if (round > 0) kept.push(seen);
      }
      onRound?.(round, rounds, speeds);
    }
  } finally {
    for (const { close } of row.contestants) await close?.();
    await row.close?.();
  }
  return played.map(({ contestant: { name, role }, rounds: kept }) => ({ name, role, rounds: kept }));
}

/** Runs rounds until a contestant is warm, and returns the last of them. */
async function warmUp(
  { play }: Contestant,
  roundMs: number,
  warmWorks: number,
  how: keyof typeof WARM_UPS = "usual",
): Promise<Round> {
  const { atLeast, atMost, times } = WARM_UPS[how];
  let seen = await play(roundMs);
  let works = worksOf(seen, roundMs);
  for (let played = 1; played < atMost; played += 1) {
    if (played >= atLeast && works >= times * warmWorks) break;
    seen = await play(roundMs);
    works += worksOf(seen, roundMs);
  }
  return seen;
}

const worksOf = ({ perSecond }: Round, ms: number): number => (perSecond * ms) / 1_000;

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
