import { describe, expect, it } from "vitest";
import { keptWarm } from "./warm-up.js";

/** Plays rounds after idle times, and returns the lengths of all rounds in milliseconds. */
async function playedAfter(...idleMs: readonly number[]): Promise<readonly number[]> {
  let now = 0;
  const lengths: number[] = [];
  const play = keptWarm(
    {
      play: (ms) => {
        lengths.push(ms);
        now += ms;
        return Promise.resolve({ perSecond: lengths.length, p50: 1, p99: 1 });
      },
    },
    () => now,
  );
  for (const idle of idleMs) {
    now += idle;
    const { perSecond } = await play(700);
    // The returned round is the last one, never the lead-in.
    expect(perSecond).toBe(lengths.length);
  }
  return lengths;
}

describe("keptWarm", () => {
  it("adds no lead-in to the first round, and none after a short break", async () => {
    expect(await playedAfter(60_000, 0, 4_000, 5_000)).toEqual([700, 700, 700, 700]);
  });

  it("plays half a second that does not count after a long break", async () => {
    expect(await playedAfter(0, 5_001, 0, 30_000)).toEqual([700, 500, 700, 700, 500, 700]);
  });
});
