import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { callLanes, type Entry } from "./call-lanes.js";

const never = new AbortController().signal;

describe("callLanes", () => {
  it("lets so many in, so many wait, and no more", async () => {
    const lanes = callLanes({ maxInFlight: 2, maxWaiting: 1 });
    expect(await lanes.enter("m", never)).toBe("entered");
    expect(await lanes.enter("m", never)).toBe("entered");
    const waiting = lanes.enter("m", never);
    expect(await lanes.enter("m", never)).toBe("full");
    lanes.leave("m");
    expect(await waiting).toBe("entered");
    const next = lanes.enter("m", never);
    expect(await lanes.enter("m", never)).toBe("full");
    lanes.leave("m");
    expect(await next).toBe("entered");
  });

  it("counts each merchant for itself", async () => {
    const lanes = callLanes({ maxInFlight: 1, maxWaiting: 0 });
    expect(await lanes.enter("m", never)).toBe("entered");
    expect(await lanes.enter("n", never)).toBe("entered");
    expect(await lanes.enter("m", never)).toBe("full");
  });

  it("takes those who wait in their order", async () => {
    const lanes = callLanes({ maxInFlight: 1, maxWaiting: 3 });
    await lanes.enter("m", never);
    const order: number[] = [];
    const all = [1, 2, 3].map(async (number) => {
      await lanes.enter("m", never);
      order.push(number);
      lanes.leave("m");
    });
    lanes.leave("m");
    await Promise.all(all);
    expect(order).toEqual([1, 2, 3]);
  });

  it("sends away who waited too long, and gives the place in the queue to another", async () => {
    const lanes = callLanes({ maxInFlight: 1, maxWaiting: 1 });
    await lanes.enter("m", never);
    const patience = new AbortController();
    const late = lanes.enter("m", patience.signal);
    patience.abort();
    expect(await late).toBe("late");
    const next = lanes.enter("m", never);
    lanes.leave("m");
    expect(await next).toBe("entered");
    lanes.leave("m");
    expect(await lanes.enter("m", never)).toBe("entered");
  });

  it("never has more in flight than it may, and turns nobody away while a place is free", async () => {
    const step = fc.oneof(fc.constant("enter"), fc.constant("leave"), fc.constant("abort"));
    await fc.assert(
      fc.asyncProperty(
        fc.array(step),
        fc.integer({ min: 1, max: 3 }),
        fc.nat(2),
        async (moves, maxInFlight, maxWaiting) => {
          const lanes = callLanes({ maxInFlight, maxWaiting });
          const waits: { patience: AbortController; entry?: Entry }[] = [];
          let inside = 0;
          let waiting = 0;
          for (const move of moves) {
            if (move === "enter") {
              const wait: { patience: AbortController; entry?: Entry } = { patience: new AbortController() };
              waits.push(wait);
              void lanes.enter("m", wait.patience.signal).then((entry) => (wait.entry = entry));
              if (inside < maxInFlight) inside += 1;
              else if (waiting < maxWaiting) waiting += 1;
            }
            if (move === "leave" && inside > 0) {
              lanes.leave("m");
              if (waiting > 0) waiting -= 1;
              else inside -= 1;
            }
            if (move === "abort" && waiting > 0) {
              waits.find(({ entry }) => entry === undefined)?.patience.abort();
              waiting -= 1;
            }
            await Promise.resolve();
            await Promise.resolve();
            expect(waits.filter(({ entry }) => entry === undefined)).toHaveLength(waiting);
          }
        },
      ),
    );
  });
});
