import { describe, expect, it } from "vitest";
import type { Round } from "./row.js";
import { supplied, type TakingContestant } from "./supplied.js";

/** Creates a contestant that does `perSecond` operations per second and counts its items. */
function contestantOf(
  perSecond: () => number,
): TakingContestant & { readonly prepared: (last: number) => void } {
  let taken = 0;
  let prepared = 0;
  const play = (ms: number): Promise<Round> => {
    const speed = perSecond();
    taken += (speed * ms) / 1_000;
    return taken > prepared
      ? Promise.reject(new Error("There are too few items."))
      : Promise.resolve({ perSecond: speed, p50: 1, p99: 1 });
  };
  return {
    name: "ours",
    role: "ours",
    play,
    taken: () => Promise.resolve(taken),
    prepared: (last) => {
      prepared = last;
    },
  };
}

describe("supplied", () => {
  it("prepares consecutive items for the measured speed before they run out", async () => {
    let speed = 100;
    const contestant = contestantOf(() => speed);
    const lots: [first: number, last: number][] = [];
    const { play } = supplied(contestant, {
      perSecond: 100,
      prepare: (first, last) => {
        lots.push([first, last]);
        contestant.prepared(last);
        return Promise.resolve();
      },
    });
    for (let round = 0; round < 30; round += 1) {
      await play(1_000);
      speed *= 1.3;
    }
    expect(lots[0]).toEqual([1, 600]);
    expect(lots.slice(1).map(([first]) => first)).toEqual(lots.slice(0, -1).map(([, last]) => last + 1));
    expect(lots.length).toBeLessThan(30);
  });

  it("prepares an item for the answer that is compared before the rounds", async () => {
    const contestant = { ...contestantOf(() => 1), answer: () => Promise.resolve("success") };
    const lots: number[] = [];
    const prepare = (first: number) => {
      lots.push(first);
      return Promise.resolve();
    };
    const { answer } = supplied(contestant, { perSecond: 100, prepare });
    expect(await answer?.()).toBe("success");
    expect(lots).toEqual([1]);
  });
});
