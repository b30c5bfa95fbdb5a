import { describe, expect, it } from "vitest";
import { testClock } from "./test-clock.js";

describe("testClock", () => {
  it("stands still until it is moved", () => {
    const clock = testClock(1_000);
    expect(clock.now()).toBe(1_000);
    clock.advance(5);
    expect(clock.now()).toBe(1_005);
    clock.set(1);
    expect(clock.now()).toBe(1);
  });

  it("lets everything else run while it sleeps, and does not move the time", async () => {
    const clock = testClock();
    const start = clock.now();
    const written: string[] = [];
    setImmediate(() => {
      written.push("by another part of the program");
    });
    // This loop waits, a minute at a time, for another part of the program.
    for (let look = 0; look < 1_000 && written.length === 0; look += 1) await clock.sleep(60_000);
    expect(written).toHaveLength(1);
    expect(clock.now()).toBe(start);
  });
});
