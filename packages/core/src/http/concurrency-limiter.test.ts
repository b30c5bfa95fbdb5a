import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type ConcurrencyLimits, createConcurrencyLimiter } from "./concurrency-limiter.js";

/** Creates a clock whose pending sleeps resolve when the test advances it. */
function manualClock() {
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
const settled = () => new Promise((resolve) => setTimeout(resolve, 0));

/**
 * Creates a limiter, and records the requests that started and that were rejected, in order.
 *
 * The first character of a request's name is its sender.
 */
function openTestLimiter(limits: Partial<ConcurrencyLimits> = {}) {
  const clock = manualClock();
  const limiter = createConcurrencyLimiter(clock, {
    maxConcurrent: 1,
    maxQueued: 2,
    queueTimeoutMs: 1_000,
    ...limits,
  });
  const started: string[] = [];
  const rejected: string[] = [];
  const request = async (name: string, client?: AbortSignal): Promise<void> => {
    const mayStart = await limiter.acquire(name.charAt(0), client);
    (mayStart ? started : rejected).push(name);
  };
  const requestAll = async (...names: readonly string[]): Promise<void> => {
    for (const name of names) void request(name);
    await settled();
  };
  const release = async (sender: string): Promise<void> => {
    limiter.release(sender);
    await settled();
  };
  return { clock, started, rejected, request, requestAll, release };
}

describe("createConcurrencyLimiter", () => {
  it("starts requests up to the limit, queues more in their order, and rejects the rest at once", async () => {
    const { started, rejected, requestAll, release } = openTestLimiter();
    await requestAll("a1", "a2", "a3", "a4");
    expect([started, rejected]).toEqual([["a1"], ["a4"]]);
    await release("a");
    await release("a");
    await release("a");
    expect(started).toEqual(["a1", "a2", "a3"]);
    await requestAll("a5");
    expect(started).toEqual(["a1", "a2", "a3", "a5"]);
  });

  it("rejects a request that has waited too long, and queues another in its place", async () => {
    const { clock, started, rejected, requestAll, release } = openTestLimiter({ maxQueued: 1 });
    await requestAll("a1", "a2");
    clock.advance(999);
    await settled();
    expect(rejected).toEqual([]);
    clock.advance(1);
    await settled();
    expect(rejected).toEqual(["a2"]);
    await requestAll("a3");
    await release("a");
    expect(started).toEqual(["a1", "a3"]);
  });

  it("queues no request if maxQueued is 0", async () => {
    const { rejected, requestAll } = openTestLimiter({ maxQueued: 0 });
    await requestAll("a1", "a2");
    expect(rejected).toEqual(["a2"]);
  });

  it("never starts a request whose client has disconnected, and frees its place in the queue", async () => {
    const { started, rejected, request, requestAll, release } = openTestLimiter({ maxQueued: 1 });
    const client = new AbortController();
    await requestAll("a1");
    void request("a2", client.signal);
    client.abort();
    await requestAll("a3");
    await release("a");
    void request("a4", AbortSignal.abort());
    await release("a");
    expect([started, rejected]).toEqual([
      ["a1", "a3"],
      ["a2", "a4"],
    ]);
  });

  it("continues if a client disconnects after its request has started", async () => {
    const { started, request, requestAll, release } = openTestLimiter();
    const client = new AbortController();
    await requestAll("a1");
    void request("a2", client.signal);
    await release("a");
    client.abort();
    await release("a");
    await requestAll("a3");
    expect(started).toEqual(["a1", "a2", "a3"]);
  });

  it("starts the sender with the fewest running requests next, and the earliest request if senders are equal", async () => {
    const { started, requestAll, release } = openTestLimiter({ maxConcurrent: 2, maxQueued: 9 });
    await requestAll("a1", "a2", "a3", "a4", "b1", "c1");
    await release("a");
    await release("a");
    await release("b");
    await release("c");
    expect(started).toEqual(["a1", "a2", "b1", "a3", "c1", "a4"]);
  });

  it("rejects the newest request of the longest queue for a sender with a shorter queue, but not for an equal one", async () => {
    const { started, rejected, requestAll, release } = openTestLimiter({ maxQueued: 3 });
    await requestAll("a1", "a2", "a3", "a4", "b1", "b2", "c1", "c2");
    expect(rejected.toSorted()).toEqual(["a3", "a4", "b2", "c2"]);
    for (const sender of ["a", "a", "b"]) await release(sender);
    expect(started).toEqual(["a1", "a2", "b1", "c1"]);
  });

  it("keeps its limits and each sender's order, and loses no request, for any sequence of events", async () => {
    const event = fc.oneof(
      {
        weight: 5,
        arbitrary: fc.record({ type: fc.constant("come"), sender: fc.constantFrom("a", "b", "c") }),
      },
      { weight: 4, arbitrary: fc.record({ type: fc.constant("release") }) },
      { weight: 1, arbitrary: fc.record({ type: fc.constant("abort") }) },
      { weight: 1, arbitrary: fc.record({ type: fc.constant("late") }) },
    );
    const limits = fc.record({
      maxConcurrent: fc.integer({ min: 1, max: 3 }),
      maxQueued: fc.integer({ min: 0, max: 4 }),
    });
    await fc.assert(
      fc.asyncProperty(
        limits,
        fc.array(event, { maxLength: 40 }),
        async ({ maxConcurrent, maxQueued }, events) => {
          const { clock, started, rejected, request, release } = openTestLimiter({
            maxConcurrent,
            maxQueued,
          });
          const running: string[] = [];
          const clients: AbortController[] = [];
          let requests = 0;
          for (const one of events) {
            const before = started.length;
            if ("sender" in one) {
              const client = new AbortController();
              clients.push(client);
              requests += 1;
              void request(`${one.sender}${requests}`, client.signal);
            } else if (one.type === "release") {
              const finished = running.shift();
              if (finished !== undefined) await release(finished.charAt(0));
            } else if (one.type === "abort") {
              clients.pop()?.abort();
            } else {
              clock.advance(1_000);
            }
            await settled();
            running.push(...started.slice(before));
            const queued = requests - started.length - rejected.length;
            expect(running.length).toBeLessThanOrEqual(maxConcurrent);
            expect(queued).toBeLessThanOrEqual(maxQueued);
            expect(queued === 0 || running.length === maxConcurrent).toBe(true);
          }
          clock.advance(1_000);
          await settled();
          expect(started.length + rejected.length).toBe(requests);
          for (const sender of ["a", "b", "c"]) {
            const order = started
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
