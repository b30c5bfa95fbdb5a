import { describe, expect, it } from "vitest";
import { fillIn, workNumbers } from "./fill-in.js";

describe("workNumbers", () => {
  it("counts up when there is no last number", () => {
    const { next, taken } = workNumbers({});
    expect([next(), next(), next()]).toEqual([1, 2, 3]);
    expect(taken()).toBe(3);
  });

  it("returns each number once before it repeats one", () => {
    const { next } = workNumbers({ among: 10_000 });
    const seen = new Set(Array.from({ length: 10_000 }, next));
    expect([seen.size, Math.min(...seen), Math.max(...seen)]).toEqual([10_000, 1, 10_000]);
  });
});

describe("fillIn", () => {
  const step = {
    method: "POST",
    path: "/{n}?t={token}&m={n8}",
    headers: { "x-token": "{token}" },
    body: "{run}-{customer} {kept}",
  } as const;
  const items = [{ token: "a" }, { token: "b" }, { token: "c" }];

  it("fills every place of path, headers and body", () => {
    const filled = fillIn(step, { items, customers: 2 }, { n: 3, run: "r", kept: "k" });
    expect(filled).toEqual({
      method: "POST",
      path: "/3?t=c&m=00000003",
      headers: { "x-token": "c" },
      body: "r-1 k",
    });
  });

  it("gives each operation its own customer by default", () => {
    expect(fillIn(step, {}, { n: 12, run: "r" }).body).toBe("r-12 ");
  });

  it("throws for an operation beyond the last item, instead of using an item twice", () => {
    expect(() => fillIn(step, { items }, { n: 4, run: "r" })).toThrow(/Only 3 work items/);
  });
});
