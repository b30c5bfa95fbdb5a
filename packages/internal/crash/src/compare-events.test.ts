import { anOrder } from "@tillkit/contract-tests";
import { describe, expect, it } from "vitest";
import { compareEvents } from "./compare-events.js";

const snapshot = [{ order: anOrder({ bizNo: "b-1" }), eventIds: ["o-2-0", "o-3-0"] }];

describe("compareEvents", () => {
  it("accepts every event in order, and repeats", () => {
    expect(compareEvents(["o-2-0", "o-2-0", "o-3-0", "o-2-0"], snapshot)).toEqual([]);
  });

  it.each([
    ["lost", ["o-3-0"]],
    ["contradiction", ["o-3-0", "o-2-0"]],
  ])("finds that an event is %s", (kind, journal) => {
    expect(compareEvents(journal, snapshot)).toMatchObject([{ kind, bizNo: "b-1" }]);
  });

  it("finds an event that no order has", () => {
    expect(compareEvents(["o-2-0", "o-3-0", "x-1-0"], snapshot)).toEqual([
      {
        kind: "contradiction",
        bizNo: "",
        what: "a handler received x-1-0, and no order has this event",
      },
    ]);
  });
});
