import { describe, expect, it } from "vitest";
import { fillIn, workNumbers } from "./fill-in.js";

describe("workNumbers", () => {
  it("counts up when there is no last number", () => {
    const next = workNumbers({});
    expect([next(), next(), next()]).toEqual([1, 2, 3]);
  });

  it("comes to each of the numbers once before any comes again", () => {
    const next = workNumbers({ among: 10_000 });
    const seen = new Set(Array.from({ length: 10_000 }, next));
    expect([seen.size, Math.min(...seen), Math.max(...seen)]).toEqual([10_000, 1, 10_000]);
  });
});

describe("fillIn", () => {
  it("fills every place of path and body", () => {
    const step = {
      method: "POST",
      path: "/{n}?t={item}&m={n8}",
      headers: {},
      body: "{run}-{n} {kept}",
    } as const;
    const filled = fillIn(step, { items: ["a", "b"] }, { n: 3, run: "r", kept: "k" });
    expect(filled).toEqual({ method: "POST", path: "/3?t=b&m=00000003", headers: {}, body: "r-3 k" });
  });
});
