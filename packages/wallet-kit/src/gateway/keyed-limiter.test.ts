import { orThrow } from "@tillkit/core";
import fc from "fast-check";
import type { ResultAsync } from "neverthrow";
import { describe, expect, it } from "vitest";
import { createKeyedLimiter } from "./keyed-limiter.js";

const never = () => new AbortController().signal;
const expectOk = async <T, E>(result: ResultAsync<T, E>) => await orThrow(result);
const expectFailure = async <T, E>(result: ResultAsync<T, E>) => (await result)._unsafeUnwrapErr();

/** Creates work that runs until `end` is called. */
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

type Entry = "entered" | "full" | "late";

/** Wraps the limiter so that a test can acquire and release places separately. */
function lanesOf({
  maxConcurrent,
  maxQueued,
}: {
  readonly maxConcurrent: number;
  readonly maxQueued: number;
}) {
  const limit = createKeyedLimiter(maxConcurrent, maxQueued);
  const inside = new Map<string, (() => void)[]>();
  const enter = (key: string, signal: AbortSignal) =>
    new Promise<Entry>((resolve) => {
      const work = () =>
        new Promise<void>((leave) => {
          inside.set(key, [...(inside.get(key) ?? []), leave]);
          resolve("entered");
        });
      void limit.run(key, signal, work).mapErr((why) => {
        resolve(why === "busy" ? "full" : "late");
      });
    });
  const leave = (key: string) => {
    const [first, ...others] = inside.get(key) ?? [];
    inside.set(key, others);
    first?.();
  };
  return { enter, leave };
}

describe("createKeyedLimiter", () => {
  it("runs calls up to the limit, queues more in their order, and rejects the rest", async () => {
    const lanes = createKeyedLimiter(1, 1);
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

  it("limits each key separately", async () => {
    const lanes = createKeyedLimiter(1, 0);
    const [one, other] = [piece(1), piece(2)];
    const results = [lanes.run("m1", never(), one.work), lanes.run("m2", never(), other.work)];
    await Promise.all([one.started, other.started]);
    one.end();
    other.end();
    expect(await Promise.all(results.map((result) => expectOk(result)))).toEqual([1, 2]);
  });

  it("stops waiting when its signal aborts, and gives its place to the next", async () => {
    const lanes = createKeyedLimiter(1, 2);
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

  it("starts nothing if the signal has already aborted", async () => {
    const piece1 = piece(1);
    expect(await expectFailure(createKeyedLimiter(1, 1).run("m", AbortSignal.abort(), piece1.work))).toBe(
      "timeout",
    );
    expect(piece1.begun()).toBe(false);
  });

  it("never exceeds its limit, loses no call, and is empty at the end", async () => {
    const arrivals = fc.array(fc.record({ key: fc.constantFrom("a", "b"), turns: fc.nat(4) }), {
      maxLength: 40,
    });
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 1, max: 4 }), arrivals, async (most, list) => {
        const lanes = createKeyedLimiter(most, list.length);
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

  it("releases the slot of work that throws", async () => {
    const lanes = createKeyedLimiter(1, 0);
    await expect(lanes.run("m", never(), () => Promise.reject(new Error("broken")))).rejects.toThrow(
      "broken",
    );
    expect(await expectOk(lanes.run("m", never(), async () => "next"))).toBe("next");
  });
});

describe("createKeyedLimiter with concurrent calls", () => {
  it("runs and queues calls up to its limits, and no more", async () => {
    const lanes = lanesOf({ maxConcurrent: 2, maxQueued: 1 });
    expect(await lanes.enter("m", never())).toBe("entered");
    expect(await lanes.enter("m", never())).toBe("entered");
    const waiting = lanes.enter("m", never());
    expect(await lanes.enter("m", never())).toBe("full");
    lanes.leave("m");
    expect(await waiting).toBe("entered");
    const next = lanes.enter("m", never());
    expect(await lanes.enter("m", never())).toBe("full");
    lanes.leave("m");
    expect(await next).toBe("entered");
  });

  it("counts each merchant separately", async () => {
    const lanes = lanesOf({ maxConcurrent: 1, maxQueued: 0 });
    expect(await lanes.enter("m", never())).toBe("entered");
    expect(await lanes.enter("n", never())).toBe("entered");
    expect(await lanes.enter("m", never())).toBe("full");
  });

  it("starts waiting calls in their order", async () => {
    const lanes = lanesOf({ maxConcurrent: 1, maxQueued: 3 });
    await lanes.enter("m", never());
    const order: number[] = [];
    const all = [1, 2, 3].map(async (number) => {
      await lanes.enter("m", never());
      order.push(number);
      lanes.leave("m");
    });
    lanes.leave("m");
    await Promise.all(all);
    expect(order).toEqual([1, 2, 3]);
  });

  it("rejects a call that waited too long, and gives its place in the queue to another", async () => {
    const lanes = lanesOf({ maxConcurrent: 1, maxQueued: 1 });
    await lanes.enter("m", never());
    const patience = new AbortController();
    const late = lanes.enter("m", patience.signal);
    patience.abort();
    expect(await late).toBe("late");
    const next = lanes.enter("m", never());
    lanes.leave("m");
    expect(await next).toBe("entered");
    lanes.leave("m");
    expect(await lanes.enter("m", never())).toBe("entered");
  });

  it("never exceeds the limit, and rejects no call while a slot is free", async () => {
    const step = fc.oneof(fc.constant("enter"), fc.constant("leave"), fc.constant("abort"));
    await fc.assert(
      fc.asyncProperty(
        fc.array(step),
        fc.integer({ min: 1, max: 3 }),
        fc.nat(2),
        async (moves, maxConcurrent, maxQueued) => {
          const lanes = lanesOf({ maxConcurrent, maxQueued });
          const waits: { patience: AbortController; entry?: Entry }[] = [];
          let inside = 0;
          let waiting = 0;
          for (const move of moves) {
            if (move === "enter") {
              const wait: { patience: AbortController; entry?: Entry } = { patience: new AbortController() };
              waits.push(wait);
              void lanes.enter("m", wait.patience.signal).then((entry) => (wait.entry = entry));
              if (inside < maxConcurrent) inside += 1;
              else if (waiting < maxQueued) waiting += 1;
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
            await new Promise((resolve) => setImmediate(resolve));
            expect(waits.filter(({ entry }) => entry === undefined)).toHaveLength(waiting);
          }
        },
      ),
    );
  });
});
