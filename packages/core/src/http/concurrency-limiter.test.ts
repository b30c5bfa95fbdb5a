import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type ConcurrencyLimits, createConcurrencyLimiter } from "./concurrency-limiter.js";

/** Creates a clock whose pending sleeps resolve when the test advances it. */
function handClock() {
  let time = 0;
  const sleepers: (() => void)[] = [];
  return {
    now: () => time,
    sleep: () => new Promise<void>((resolve) => sleepers.push(resolve)),
    advance: (ms: number) => {
      time += ms;
      for (const wake of sleepers.splice(0)) wake();
    },
  };
}

/** Lets the handlers of all settled promises run. */
const received = () => new Promise((resolve) => setTimeout(resolve, 0));

/**
 * Creates a limiter, and records the requests that started and that were refused, in order.
 *
 * The first character of a request's name is its sender.
 */
function openTestLimiter(bounds: Partial<ConcurrencyLimits> = {}) {
  const clock = handClock();
  const limiter = createConcurrencyLimiter(clock, {
    maxConcurrent: 1,
    maxQueued: 2,
    queueTimeoutMs: 1_000,
    ...bounds,
  });
  const begun: string[] = [];
  const refused: string[] = [];
  const come = async (visitor: string, client?: AbortSignal): Promise<void> => {
    const mayBegin = await limiter.acquire(visitor.charAt(0), client);
    (mayBegin ? begun : refused).push(visitor);
  };
  const arrive = async (...visitors: readonly string[]): Promise<void> => {
    for (const visitor of visitors) void come(visitor);
    await received();
  };
  const leave = async (sender: string): Promise<void> => {
    limiter.release(sender);
    await received();
  };
  return { clock, begun, refused, come, arrive, leave };
}

describe("createConcurrencyLimiter", () => {
  it("lets requests begin up to the bound, has more wait in their order, and refuses the rest at once", async () => {
    const { begun, refused, arrive, leave } = openTestLimiter();
    await arrive("a1", "a2", "a3", "a4");
    expect([begun, refused]).toEqual([["a1"], ["a4"]]);
    await leave("a");
    await leave("a");
    await leave("a");
    expect(begun).toEqual(["a1", "a2", "a3"]);
    await arrive("a5");
    expect(begun).toEqual(["a1", "a2", "a3", "a5"]);
  });

  it("refuses one that has waited too long, and takes another in its place", async () => {
    const { clock, begun, refused, arrive, leave } = openTestLimiter({ maxQueued: 1 });
    await arrive("a1", "a2");
    clock.advance(999);
    await received();
    expect(refused).toEqual([]);
    clock.advance(1);
    await received();
    expect(refused).toEqual(["a2"]);
    await arrive("a3");
    await leave("a");
    expect(begun).toEqual(["a1", "a3"]);
  });

  it("queues no request if the queue has no place", async () => {
    const { refused, arrive } = openTestLimiter({ maxQueued: 0 });
    await arrive("a1", "a2");
    expect(refused).toEqual(["a2"]);
  });

  it("never begins a request whose client has gone, and gives its place in the line away", async () => {
    const { begun, refused, come, arrive, leave } = openTestLimiter({ maxQueued: 1 });
    const client = new AbortController();
    await arrive("a1");
    void come("a2", client.signal);
    client.abort();
    await arrive("a3");
    await leave("a");
    void come("a4", AbortSignal.abort());
    await leave("a");
    expect([begun, refused]).toEqual([
      ["a1", "a3"],
      ["a2", "a4"],
    ]);
  });

  it("goes on when a client leaves after its request has begun", async () => {
    const { begun, come, arrive, leave } = openTestLimiter();
    const client = new AbortController();
    await arrive("a1");
    void come("a2", client.signal);
    await leave("a");
    client.abort();
    await leave("a");
    await arrive("a3");
    expect(begun).toEqual(["a1", "a2", "a3"]);
  });

  it("takes the sender with the fewest in work next, and of equals the one that came first", async () => {
    const { begun, arrive, leave } = openTestLimiter({ maxConcurrent: 2, maxQueued: 9 });
    await arrive("a1", "a2", "a3", "a4", "b1", "c1");
    await leave("a");
    await leave("a");
    await leave("b");
    await leave("c");
    expect(begun).toEqual(["a1", "a2", "b1", "a3", "c1", "a4"]);
  });

  it("sends the newest of the longest line away for a sender with fewer waiting, and none for one with as many", async () => {
    const { begun, refused, arrive, leave } = openTestLimiter({ maxQueued: 3 });
    await arrive("a1", "a2", "a3", "a4", "b1", "b2", "c1", "c2");
    expect(refused.toSorted()).toEqual(["a3", "a4", "b2", "c2"]);
    for (const sender of ["a", "a", "b"]) await leave(sender);
    expect(begun).toEqual(["a1", "a2", "b1", "c1"]);
  });

  it("keeps its bounds and the order of each sender, and loses no request, whatever happens", async () => {
    const event = fc.oneof(
      {
        weight: 5,
        arbitrary: fc.record({ type: fc.constant("come"), sender: fc.constantFrom("a", "b", "c") }),
      },
      { weight: 4, arbitrary: fc.record({ type: fc.constant("leave") }) },
      { weight: 1, arbitrary: fc.record({ type: fc.constant("abort") }) },
      { weight: 1, arbitrary: fc.record({ type: fc.constant("late") }) },
    );
    const bounds = fc.record({
      maxConcurrent: fc.integer({ min: 1, max: 3 }),
      maxQueued: fc.integer({ min: 0, max: 4 }),
    });
    await fc.assert(
      fc.asyncProperty(
        bounds,
        fc.array(event, { maxLength: 40 }),
        async ({ maxConcurrent, maxQueued }, events) => {
          const { clock, begun, refused, come, leave } = openTestLimiter({ maxConcurrent, maxQueued });
          const inWork: string[] = [];
          const clients: AbortController[] = [];
          let came = 0;
          for (const one of events) {
            const before = begun.length;
            if ("sender" in one) {
              const client = new AbortController();
              clients.push(client);
              came += 1;
              void come(`${one.sender}${came}`, client.signal);
            } else if (one.type === "leave") {
              const gone = inWork.shift();
              if (gone !== undefined) await leave(gone.charAt(0));
            } else if (one.type === "abort") {
              clients.pop()?.abort();
            } else {
              clock.advance(1_000);
            }
            await received();
            inWork.push(...begun.slice(before));
            const inLine = came - begun.length - refused.length;
            expect(inWork.length).toBeLessThanOrEqual(maxConcurrent);
            expect(inLine).toBeLessThanOrEqual(maxQueued);
            expect(inLine === 0 || inWork.length === maxConcurrent).toBe(true);
          }
          clock.advance(1_000);
          await received();
          expect(begun.length + refused.length).toBe(came);
          for (const sender of ["a", "b", "c"]) {
            const order = begun
              .filter((name) => name.startsWith(sender))
              .map((name) => Number(name.slice(1)));
            expect(order).toEqual(order.toSorted((left, right) => left - right));
          }
        },
      ),
      { numRuns: 60 },
    );
  });
});
