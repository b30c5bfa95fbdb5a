import { describe, expect, it } from "vitest";
import { measure } from "./measure.js";
import { WARM_UPS } from "./warm-up.js";

/** Measures one contestant for a round, and returns how many rounds its warm-up took. */
async function warmUpRounds(
  speeds: Iterable<number>,
  warmWorks: number,
  limit: { readonly warmRounds?: number } = {},
): Promise<number> {
  const next = speeds[Symbol.iterator]();
  let rounds = 0;
  const play = () => {
    rounds += 1;
    return Promise.resolve({ perSecond: Number(next.next().value), p50: 1, p99: 1 });
  };
  const contestant = { name: "ours", role: "ours", play } as const;
  const [played] = await measure(
    { work: "a test", contestants: [contestant], targets: [] },
    { rounds: 1, roundMs: 1_000, warmWorks, ...limit },
  );
  expect(played?.rounds).toHaveLength(1);
  return rounds - 1;
}

function* constant(speed: number): Generator<number> {
  for (;;) yield speed;
}

function* alternating(slow: number, fast: number): Generator<number> {
  for (;;) yield* [slow, fast];
}

describe("the warm-up", () => {
  it("takes two rounds of level speed", async () => {
    expect(await warmUpRounds(constant(1_000), 1)).toBe(2);
  });

  it("lasts until two successive rounds differ by less than a tenth", async () => {
    expect(await warmUpRounds([500, 700, 900, 950, 950], 1)).toBe(4);
    expect(await warmUpRounds([1_000, 900, 811, 811], 1)).toBe(3);
  });

  it("lasts until the contestant has done enough", async () => {
    expect(await warmUpRounds(constant(1_000), 5_000)).toBe(5);
  });

  it("ends after the largest number of rounds if the speed is never level", async () => {
    expect(await warmUpRounds(alternating(500, 1_000), 1)).toBe(WARM_UPS.usual.atMost);
  });

  it("takes no more rounds than the run allows", async () => {
    expect(await warmUpRounds(alternating(500, 1_000), 1, { warmRounds: 3 })).toBe(3);
  });
});
