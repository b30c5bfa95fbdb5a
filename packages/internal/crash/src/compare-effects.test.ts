import { anOrder } from "@tillkit/contract-tests";
import { describe, expect, it } from "vitest";
import { compareEffects } from "./compare-effects.js";

const snapshot = [
  { order: anOrder({ bizNo: "b-1" }), eventIds: ["o-2-0", "o-3-0"] },
  { order: anOrder({ bizNo: "b-2" }), eventIds: ["p-2-0"] },
];

describe("compareEffects", () => {
  it("accepts every event once, in order per order", () => {
    expect(compareEffects(["o-2-0", "p-2-0", "o-3-0"], snapshot)).toEqual([]);
  });

  it.each([
    ["duplicated", ["o-2-0", "o-3-0", "p-2-0", "o-3-0"]],
    ["lost", ["o-2-0", "p-2-0"]],
    ["contradiction", ["o-3-0", "o-2-0", "p-2-0"]],
  ])("finds that an event is %s", (kind, effects) => {
    expect(compareEffects(effects, snapshot)).toMatchObject([{ kind, bizNo: "b-1" }]);
  });
});
