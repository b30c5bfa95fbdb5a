import { anOrder } from "@tillkit/contract-tests";
import { describe, expect, it } from "vitest";
import { compareEvents } from "./compare-events.js";

const snapshot = [{ order: anOrder({ bizNo: "b-1" }), eventIds: ["o-2-0", "o-3-0"] }];
const all = ["o-2-0", "o-3-0"];

describe("compareEvents", () => {
  it("accepts every event in order, and repeats in the file", () => {
    expect(compareEvents({ journal: ["o-2-0", "o-2-0", "o-3-0"], effects: all }, snapshot)).toEqual([]);
  });

  it.each([
    ["lost", { journal: ["o-3-0"], effects: all }],
    ["lost", { journal: all, effects: ["o-2-0"] }],
    ["contradiction", { journal: ["o-3-0", "o-2-0"], effects: all }],
    ["contradiction", { journal: all, effects: ["o-3-0", "o-2-0"] }],
    ["duplicated", { journal: all, effects: ["o-2-0", "o-3-0", "o-3-0"] }],
  ])("finds that an event is %s", (kind, handled) => {
    expect(compareEvents(handled, snapshot)).toMatchObject([{ kind, bizNo: "b-1" }]);
  });

  it("finds an event that no order has", () => {
    expect(compareEvents({ journal: [...all, "x-1-0"], effects: all }, snapshot)).toMatchObject([
      { kind: "contradiction", what: "no order has the event x-1-0" },
    ]);
  });
});
