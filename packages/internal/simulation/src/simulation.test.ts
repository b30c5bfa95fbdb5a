import type { Stores } from "@tillkit/core";
import { memoryStores } from "@tillkit/memory";
import { okAsync } from "neverthrow";
import { expect, it } from "vitest";
import { type Outcome, run } from "./run.js";
import { shortened } from "./shorten.js";
import { recordedTape, seededTape, type Tape } from "./tape.js";

const SEEDS = Array.from({ length: 12 }, (_, index) => index + 1);

it.each(SEEDS)("keeps every promise with seed %i", async (seed) => {
  const { violation, story } = await run(seededTape(seed));
  expect(violation, story.slice(-40).join("\n")).toBeUndefined();
});

it("is the same run for the same seed, and another for another", async () => {
  const [first, again, other] = [
    await run(seededTape(7)),
    await run(seededTape(7)),
    await run(seededTape(8)),
  ];
  expect(again).toEqual(first);
  expect(other.hash).not.toBe(first.hash);
});

it("is the same run on the tape it recorded", async () => {
  const { drawn, hash } = await run(seededTape(3));
  expect((await run(recordedTape([...drawn, 0]))).hash).toBe(hash);
});

/** Wraps stores so that the daily counters grant every unit. */
const generous = (stores: Stores): Stores => ({
  ...stores,
  quotas: { ...stores.quotas, take: (_key, { limit }) => okAsync({ granted: true, used: limit }) },
});

it("misses what a store does not keep, and tells the shortest story of it", async () => {
  const broken = (tape: Tape) => run(tape, generous(memoryStores()));
  let failed: Outcome | undefined;
  for (let seed = 3; failed?.violation === undefined; seed += 1) failed = await broken(seededTape(seed));
  expect(failed.violation.promise).toMatch(/no more units|allowance|few wrong tries/);
  const shortest = await shortened(failed, broken);
  expect(shortest.violation?.promise).toBe(failed.violation.promise);
  expect(shortest.drawn.length).toBeLessThan(failed.drawn.length / 2);
  expect((await broken(recordedTape(shortest.drawn))).story).toEqual(shortest.story);
}, 60_000);
