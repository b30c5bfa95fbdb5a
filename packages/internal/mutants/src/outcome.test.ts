import { describe, expect, it } from "vitest";
import type { Mutant } from "./mutant.js";
import { outcomeOf, wordsOf } from "./outcome.js";
import type { Proof, Suite, Verdict } from "./proofs.js";

const rule: Mutant = { name: "n", guards: "g", file: "packages/core/src/a.ts", find: "f", replace: "" };
const storeRule: Mutant = { ...rule, file: "packages/memory/src/orders/order-store.ts" };
const caught: Verdict = { kind: "caught", by: "project: test" };
const missed: Verdict = { kind: "missed" };

/** Runs suites with these verdicts, and returns the outcome and the suites that ran. */
async function ask(mutant: Mutant, verdicts: readonly (readonly [Suite, Verdict])[], every = false) {
  const looked: Suite[] = [];
  const proofs = verdicts.map(([suite, verdict]): Proof => ({ suite, look: async () => verdict }));
  const outcome = await outcomeOf(mutant, proofs, every, (proof) => {
    looked.push(proof.suite);
    return proof.look("", new AbortController().signal);
  });
  return { outcome, looked };
}

describe("outcomeOf", () => {
  it("stops at the first suite that catches the mutant", async () => {
    const { outcome, looked } = await ask(rule, [
      ["HTTP contract", missed],
      ["unit tests", caught],
      ["simulation", caught],
    ]);
    expect(looked).toEqual(["HTTP contract", "unit tests"]);
    expect(outcome).toEqual({ kind: "caught", catches: [{ suite: "unit tests", by: "project: test" }] });
    expect(wordsOf(outcome)).toEqual({ suite: "unit tests", by: "project: test" });
  });

  it("runs every suite if the option is set", async () => {
    const { outcome, looked } = await ask(
      rule,
      [
        ["unit tests", caught],
        ["simulation", caught],
      ],
      true,
    );
    expect(looked).toEqual(["unit tests", "simulation"]);
    expect(wordsOf(outcome).suite).toBe("unit tests, simulation");
  });

  it.each<[string, Mutant]>([
    ["a rule of a store", storeRule],
    ["a mutant that says so", { ...rule, needsContract: true }],
  ])("requires a contract suite for %s, and runs contracts first", async (_what, mutant) => {
    const { outcome, looked } = await ask(mutant, [
      ["adapter tests", caught],
      ["port contract", missed],
    ]);
    expect(looked).toEqual(["port contract", "adapter tests"]);
    expect(outcome.kind).toBe("no contract");
    expect(wordsOf(outcome).suite).toBe("NO CONTRACT, only adapter tests");
    const second = await ask(mutant, [
      ["adapter tests", caught],
      ["port contract", caught],
    ]);
    expect(second.looked).toEqual(["port contract"]);
    expect(second.outcome.kind).toBe("caught");
  });

  it("returns `late` if no suite caught the mutant and one did not end in time", async () => {
    const late: Verdict = { kind: "late", by: "core" };
    const { outcome } = await ask(rule, [
      ["unit tests", late],
      ["simulation", missed],
    ]);
    expect(outcome).toEqual(late);
    const decided = await ask(rule, [
      ["unit tests", late],
      ["simulation", caught],
    ]);
    expect(decided.outcome.kind).toBe("caught");
  });

  it("returns `missed` if all suites pass, and `unusable` if the source does not load", async () => {
    expect((await ask(rule, [["unit tests", missed]])).outcome).toEqual(missed);
    const unusable: Verdict = { kind: "unusable", output: "why" };
    const { outcome, looked } = await ask(rule, [
      ["unit tests", unusable],
      ["simulation", caught],
    ]);
    expect(outcome).toEqual(unusable);
    expect(looked).toEqual(["unit tests"]);
  });
});
