import { describe, expect, it } from "vitest";
import { type Mutant, mutated } from "./mutant.js";

const mutant: Mutant = { name: "", guards: "", file: "", find: "if (a) ", replace: "" };

describe("mutated", () => {
  it("replaces the text in its place", () => {
    expect(mutated("x; if (a) y;", mutant)).toBe("x; y;");
  });

  it("inserts the replacement literally", () => {
    expect(mutated("if (a) ", { ...mutant, replace: "$& $1" })).toBe("$& $1");
  });

  it.each(["", "if (b) ", "if (a) if (a) "])("is undefined for %j, without exactly one such text", (text) => {
    expect(mutated(text, mutant)).toBeUndefined();
  });
});
