import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { root } from "@tillkit/repository";
import { MUTANTS } from "./list/mutants.js";
import { isStoreRule, mutated, twinOf } from "./mutant.js";

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

  const isSql = ({ file }: { readonly file: string }) => file.startsWith("packages/postgres/");

  it.each(MUTANTS.filter(isStoreRule))("breaks the rule of a store in both storages: $name", (mutant) => {
    const twin = MUTANTS.find(({ name }) => name === twinOf(mutant));
    if (mutant.onlyHere !== undefined) {
      expect(mutant.onlyHere).not.toBe("");
      expect(twin).toBeUndefined();
      return;
    }
    expect(twin, `${mutant.file}: there is no mutant ${twinOf(mutant)}, and no onlyHere`).toBeDefined();
    expect(twin !== undefined && isStoreRule(twin) && isSql(twin)).toBe(!isSql(mutant));
  });
});
