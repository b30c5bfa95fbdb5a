import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { root } from "../lib/packages.js";
import { MUTANTS } from "./list/mutants.js";
import { mutated } from "./mutant.js";

describe("the list of mutants", () => {
  it.each(MUTANTS)("breaks one place: $name", (mutant) => {
    const text = readFileSync(`${root}${mutant.file}`, "utf8");
    const changed = mutated(text, mutant);
    expect(changed, `${mutant.file} holds this not exactly once:\n${mutant.find}`).toBeDefined();
    expect(changed).not.toBe(text);
  });

  it("names each once", () => {
    expect(new Set(MUTANTS.map(({ name }) => name)).size).toBe(MUTANTS.length);
  });
});
