import type { Contestant, Round } from "./row.js";

/**
 * How many rounds a contestant plays before the measurement: from `atLeast` to `atMost`.
 *
 * V8 compiles code that has run often, so a slow contestant needs more rounds to reach its usual
 * speed. The rounds end early when two things are true: the contestant has done `times` × the usual
 * number of operations, and its last two rounds differ in speed by less than {@link LEVEL}.
 */
export const WARM_UPS = {
  once: { atLeast: 1, atMost: 1, times: 0 },
  short: { atLeast: 2, atMost: 2, times: 0 },
  usual: { atLeast: 2, atMost: 16, times: 1 },
  long: { atLeast: 2, atMost: 120, times: 20 },
} as const satisfies Record<string, WarmUp>;

/**
 * The least and the largest number of rounds of a warm-up, and the multiple of the usual
 * operations.
 */
export interface WarmUp {
  readonly atLeast: number;
  readonly atMost: number;
  readonly times: number;
}

/**
 * The largest difference in speed between two rounds of a warm contestant, as a share of the
 * faster.
 */
const LEVEL = 0.1;

/** When a contestant is cold, and for how long it then runs without being measured. */
const COLD = { afterMs: 5_000, leadInMs: 500 } as const;

/** Runs rounds until a contestant is warm, and returns the last of them. */
export async function warmUp(
  { play }: Contestant,
  roundMs: number,
  works: number,
  { atLeast, atMost, times }: WarmUp,
): Promise<Round> {
  let seen = await play(roundMs);
  let done = worksOf(seen, roundMs);
  let level = false;
  for (let played = 1; played < atMost; played += 1) {
    if (played >= atLeast && done >= times * works && level) break;
    const next = await play(roundMs);
    level = isLevel(seen.perSecond, next.perSecond);
    done += worksOf(next, roundMs);
    seen = next;
  }
  return seen;
}

/**
 * Adds an uncounted lead-in to the rounds of a contestant that was idle for some seconds.
 *
 * The system takes back memory of idle processes, and their code and data leave the caches of the
 * processor. After twelve seconds, the first 200 to 400 ms took twice the usual processor time.
 *
 * @param now - the time in milliseconds.
 */
export function keptWarm({ play }: Pick<Contestant, "play">, now = () => performance.now()) {
  let idleSince: number | undefined;
  return async (ms: number): Promise<Round> => {
    if (idleSince !== undefined && now() - idleSince > COLD.afterMs) await play(Math.min(ms, COLD.leadInMs));
    const round = await play(ms);
    idleSince = now();
    return round;
  };
}

function isLevel(left: number, right: number): boolean {
  return Math.abs(left - right) < LEVEL * Math.max(left, right);
}

const worksOf = ({ perSecond }: Round, ms: number): number => (perSecond * ms) / 1_000;
