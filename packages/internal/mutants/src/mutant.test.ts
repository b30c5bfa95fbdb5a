import { describe, expect, it } from "vitest";
import { type Mutant, mutated } from "./mutant.js";

const mutant: Mutant = { name: "", guards: "", file: "", find: "if (a) ", replace: "" };

describe("mutated", () => {
  it("puts the replacement where the text stands", () => {
    expect(mutated("x; if (a) y;", mutant)).toBe("x; y;");
  });

  it("takes the replacement as it is", () => {
    expect(mutated("if (a) ", { ...mutant, replace: "$& $1" })).toBe("$& $1");
  });

  it.each(["", "if (b) ", "if (a) if (a) "])("is nothing for %j, which does not hold it once", (text) => {
    expect(mutated(text, mutant)).toBeUndefined();
  });
});
