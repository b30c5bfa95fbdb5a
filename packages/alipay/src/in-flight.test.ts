import { expectFailure, expectOk } from "@tillkit/contract-tests";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { inFlight } from "./in-flight.js";

const never = () => new AbortController().signal;

/** Work that ends when it is told to. */
function piece<T>(value: T) {
  let end: () => void = () => undefined;
  const ended = new Promise<void>((resolve) => {
    end = resolve;
  });
  let begun = false;
  let begin: () => void = () => undefined;
  const started = new Promise<void>((resolve) => {
    begin = resolve;
  });
  const work = async () => {
    begun = true;
    begin();
    await ended;
    return value;
  };
  return { work, end: () => end(), begun: () => begun, started };
}

describe("inFlight", () => {
  it("runs as many at once as it may, the next in the order they came, and no more than may wait", async () => {
    const lanes = inFlight(1, 1);
    const [first, second, third] = [piece("first"), piece("second"), piece("third")];
    const running = lanes.run("m", never(), first.work);
    const waiting = lanes.run("m", never(), second.work);
    expect(await expectFailure(lanes.run("m", never(), third.work))).toBe("busy");
    expect([first.begun(), second.begun(), third.begun()]).toEqual([true, false, false]);
    first.end();
    expect(await expectOk(running)).toBe("first");
    second.end();
    expect(await expectOk(waiting)).toBe("second");
    expect(second.begun()).toBe(true);
  });

  it("bounds each key by itself", async () => {
    const lanes = inFlight(1, 0);
    const [one, other] = [piece(1), piece(2)];
    const results = [lanes.run("m1", never(), one.work), lanes.run("m2", never(), other.work)];
    await Promise.all([one.started, other.started]);
    one.end();
    other.end();
    expect(await Promise.all(results.map((result) => expectOk(result)))).toEqual([1, 2]);
  });

  it("gives up waiting at its signal, and gives the place to the next", async () => {
    const lanes = inFlight(1, 2);
    const [first, second, third] = [piece(1), piece(2), piece(3)];
    const patience = new AbortController();
    const running = lanes.run("m", never(), first.work);
    const tired = lanes.run("m", patience.signal, second.work);
    const patient = lanes.run("m", never(), third.work);
    patience.abort();
    expect(await expectFailure(tired)).toBe("timeout");
    first.end();
    third.end();
    expect(await expectOk(running)).toBe(1);
    expect(await expectOk(patient)).toBe(3);
    expect(second.begun()).toBe(false);
  });

  it("begins nothing for a signal that was given before", async () => {
    const piece1 = piece(1);
    expect(await expectFailure(inFlight(1, 1).run("m", AbortSignal.abort(), piece1.work))).toBe("timeout");
    expect(piece1.begun()).toBe(false);
  });

  it("never runs more than it may, loses none, and is empty in the end", async () => {
    const arrivals = fc.array(fc.record({ key: fc.constantFrom("a", "b"), turns: fc.nat(4) }), {
      maxLength: 40,
    });
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 1, max: 4 }), arrivals, async (most, list) => {
        const lanes = inFlight(most, list.length);
        const running = new Map<string, number>();
        const results = list.map(({ key, turns }, index) =>
          lanes.run(key, never(), async () => {
            running.set(key, (running.get(key) ?? 0) + 1);
            expect(running.get(key)).toBeLessThanOrEqual(most);
            for (let turn = 0; turn < turns; turn += 1) await Promise.resolve();
            running.set(key, (running.get(key) ?? 0) - 1);
            return index;
          }),
        );
        expect(await Promise.all(results.map((result) => expectOk(result)))).toEqual(
          list.map((_, index) => index),
        );
        expect([...running.values()].every((count) => count === 0)).toBe(true);
      }),
    );
  });

  it("frees the place of work that throws", async () => {
    const lanes = inFlight(1, 0);
    await expect(lanes.run("m", never(), () => Promise.reject(new Error("broken")))).rejects.toThrow(
      "broken",
    );
    expect(await expectOk(lanes.run("m", never(), async () => "next"))).toBe("next");
  });
});
