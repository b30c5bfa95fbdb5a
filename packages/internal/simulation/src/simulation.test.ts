import { caseCount } from "@tillkit/contract-tests";
import type { Stores } from "@tillkit/core";
import { memoryStores } from "@tillkit/memory";
import { okAsync } from "neverthrow";
import { expect, it } from "vitest";
import { type RunOutcome, run } from "./run.js";
import { shrink } from "./shrink.js";
import { recordedChoices, seededChoices, type ChoiceSource } from "./choice-source.js";

// Continuous integration runs 300 seeds with `npm run simulate`.
const SEEDS = Array.from({ length: caseCount({ few: 2, many: 4 }) }, (_, index) => index + 1);

it.each(SEEDS)("a run keeps every invariant with seed %i", async (seed) => {
  const { violation, trace } = await run(seededChoices(seed));
  expect(violation, trace.slice(-40).join("\n")).toBeUndefined();
});

it("a run is equal for equal seeds, and differs for different seeds", { tags: "slow" }, async () => {
  const [first, again, other] = [
    await run(seededChoices(7)),
    await run(seededChoices(7)),
    await run(seededChoices(8)),
  ];
  expect(again).toEqual(first);
  expect(other.hash).not.toBe(first.hash);
});

it("recorded choices repeat their run", async () => {
  const { drawn, hash } = await run(seededChoices(3));
  expect((await run(recordedChoices([...drawn, 0]))).hash).toBe(hash);
});

/** Wraps stores so that the daily counters grant every unit. */
const generous = (stores: Stores): Stores => ({
  ...stores,
  quotas: { ...stores.quotas, take: (_key, { limit }) => okAsync({ granted: true, used: limit }) },
});

it(
  "the simulation detects a faulty store, and prints a shorter scenario",
  { tags: "slow", timeout: 600_000 },
  async () => {
    const broken = (choices: ChoiceSource) => run(choices, generous(memoryStores()));
    let failed: RunOutcome | undefined;
    // This seed fails early, so its scenario is less than half as long after a few runs.
    for (let seed = 18; failed?.violation === undefined; seed += 1)
      failed = await broken(seededChoices(seed));
    expect(failed.violation.invariant).toMatch(/no more units|allowance|few wrong tries/);
    const shortest = await shrink(failed, broken, 3_000);
    expect(shortest.violation?.invariant).toBe(failed.violation.invariant);
    expect(shortest.drawn.length).toBeLessThan(failed.drawn.length / 2);
    expect((await broken(recordedChoices(shortest.drawn))).trace).toEqual(shortest.trace);
  },
);
