import { afterEach, describe, expect, it, vi } from "vitest";
import { batched, type BatchedMethod } from "./batched.js";

/** Creates a method that records its statements. It resolves at once, unless `overrides` differ. */
function recordedVerb(overrides: Partial<BatchedMethod<string, string>> = {}) {
  const statements: (string | readonly string[])[] = [];
  const { runOne = (call) => Promise.resolve(`one ${call}`), runBatch = answered, ...options } = overrides;
  const method: BatchedMethod<string, string> = {
    runOne: (call) => {
      statements.push(call);
      return runOne(call);
    },
    runBatch: (calls) => {
      statements.push(calls);
      return runBatch(calls);
    },
    ...options,
  };
  return { method, statements };
}

function answered(calls: readonly string[]): Promise<ReadonlyMap<number, string>> {
  return Promise.resolve(new Map(calls.map((call, place) => [place, `many ${call}`])));
}

/** Creates a method whose statements hang until `release`, which resolves the oldest one. */
function hanging() {
  const stored: (() => void)[] = [];
  const gate = (): Promise<void> => new Promise((resolve) => stored.push(resolve));
  return {
    runOne: (call: string) => gate().then(() => `one ${call}`),
    runBatch: (calls: readonly string[]) => gate().then(() => answered(calls)),
    release: () => stored.shift()?.(),
  };
}

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
const names = (count: number): readonly string[] => Array.from({ length: count }, (_, i) => `a${i}`);

function serverError(code: string): Error {
  return Object.assign(new Error("The server says no."), { code });
}

afterEach(() => {
  vi.useRealTimers();
});

describe("batched", () => {
  it("runs a single call at the end of the turn, as its own statement", async () => {
    const { method, statements } = recordedVerb();
    const call = batched(method);
    const answer = call("a");
    await turn();
    expect(statements).toEqual(["a"]);
    expect(await answer).toBe("one a");
  });

  it("runs the calls of one turn as one statement and returns to each its own result", async () => {
    const { method, statements } = recordedVerb({
      runBatch: async (calls) => new Map([...(await answered(calls))].toReversed()),
    });
    const call = batched(method);
    const answers = Promise.all(["a", "b", "c"].map(call));
    expect(await answers).toEqual(["many a", "many b", "many c"]);
    expect(statements).toEqual([["a", "b", "c"]]);
  });

  it("puts at most maxBatchSize calls into one statement", async () => {
    const { method, statements } = recordedVerb();
    await Promise.all(names(10).map(batched(method, { maxBatchSize: 4 })));
    expect(statements.map((calls) => calls.length)).toEqual([4, 4, 2]);
  });

  it("runs every call as its own statement with maxBatchSize 1", async () => {
    const { method, statements } = recordedVerb();
    const call = batched(method, { maxBatchSize: 1 });
    expect(await Promise.all(["a", "b"].map(call))).toEqual(["one a", "one b"]);
    expect(statements).toEqual(["a", "b"]);
  });

  it.each([0, -1, 1.5, NaN])("rejects a maxBatchSize of %s", (maxBatchSize) => {
    expect(() => batched(recordedVerb().method, { maxBatchSize })).toThrow(RangeError);
  });

  describe("while two statements are running", () => {
    /** Starts four calls, with two per statement. None of them has a result yet. */
    const busy = async () => {
      vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
      const { release, ...hang } = hanging();
      const { method, statements } = recordedVerb(hang);
      const call = batched(method, { maxBatchSize: 2 });
      const first = names(4).map(call);
      await turn();
      expect(statements).toHaveLength(2);
      const settle = async (asked: readonly Promise<string>[]) => {
        for (const _ of statements) release();
        await Promise.all([...first, ...asked]);
      };
      return { ask: call, statements, release, settle };
    };

    it("collects later calls, and runs them together when one of the two statements ends", async () => {
      const { ask: call, statements, release, settle } = await busy();
      const x = call("x");
      await turn();
      const y = call("y");
      await turn();
      expect(statements).toHaveLength(2);
      release();
      await turn();
      await turn();
      expect(statements.slice(2)).toEqual([["x", "y"]]);
      await settle([x, y]);
    });

    it("waits at most 50 milliseconds for either statement", async () => {
      const { ask: call, statements, settle } = await busy();
      const late = call("late");
      vi.advanceTimersByTime(49);
      await turn();
      expect(statements).toHaveLength(2);
      await vi.advanceTimersByTimeAsync(1);
      await turn();
      expect(statements.slice(2)).toEqual(["late"]);
      await settle([late]);
    });
  });

  it("never puts two calls with one key into one statement, and keeps their order", async () => {
    const { method, statements } = recordedVerb({ keyOf: (call) => call.slice(0, 1) });
    await Promise.all(["a1", "b1", "a2", "c1", "a3", "b2"].map(batched(method)));
    expect(statements).toEqual([["a1", "b1", "c1"], ["a2", "b2"], "a3"]);
  });

  it("runs a call alone if the call has no result in the batch", async () => {
    const { method, statements } = recordedVerb({
      runBatch: async (calls) => new Map([...(await answered(calls))].filter(([place]) => place !== 1)),
    });
    const answers = await Promise.all(["a", "b", "c"].map(batched(method)));
    expect(answers).toEqual(["many a", "one b", "many c"]);
    expect(statements).toEqual([["a", "b", "c"], "b"]);
  });

  it.each(["22021", "22P02", "23514", "54000", "40001", "40P01", "55P03", "57014"])(
    "fails only the faulty call if the server undid the statement: %s",
    async (code) => {
      const { method, statements } = recordedVerb({
        runOne: (call) => (call === "b" ? Promise.reject(serverError(code)) : Promise.resolve(`one ${call}`)),
        runBatch: () => Promise.reject(serverError(code)),
      });
      const [a, b, c] = await Promise.allSettled(["a", "b", "c"].map(batched(method)));
      expect(statements).toEqual([["a", "b", "c"], "a", "b", "c"]);
      expect([a, c]).toEqual([
        { status: "fulfilled", value: "one a" },
        { status: "fulfilled", value: "one c" },
      ]);
      expect(b).toEqual({ status: "rejected", reason: serverError(code) });
    },
  );

  // The outcome is unknown, because these errors may end the connection during a commit.
  it.each([
    new Error("Connection terminated unexpectedly"),
    serverError("ECONNRESET"),
    serverError("08006"),
    serverError("40003"),
    serverError("57P01"),
    serverError("57P02"),
    serverError("58030"),
    serverError("XX000"),
  ])("fails every call and repeats no call if the outcome is unknown: %s", async (error) => {
    const { method, statements } = recordedVerb({ runBatch: () => Promise.reject(error) });
    const answers = await Promise.allSettled(["a", "b"].map(batched(method)));
    const failed = { status: "rejected", reason: error };
    expect(answers).toEqual([failed, failed]);
    expect(statements).toEqual([["a", "b"]]);
  });

  it("fails only the calls of a node that a cluster cannot reach, if the method only reads", async () => {
    const error = serverError("08006");
    const { method, statements } = recordedVerb({
      readsNodes: true,
      runOne: (call) => (call === "b" ? Promise.reject(error) : Promise.resolve(`one ${call}`)),
      runBatch: () => Promise.reject(error),
    });
    const answers = await Promise.allSettled(["a", "b", "c"].map(batched(method)));
    expect(answers.map(({ status }) => status)).toEqual(["fulfilled", "rejected", "fulfilled"]);
    expect(statements).toEqual([["a", "b", "c"], "a", "b", "c"]);
  });

  it("repeats no read if the server itself is lost", async () => {
    const error = serverError("ECONNRESET");
    const { method, statements } = recordedVerb({ readsNodes: true, runBatch: () => Promise.reject(error) });
    await Promise.allSettled(["a", "b"].map(batched(method)));
    expect(statements).toEqual([["a", "b"]]);
  });

  it("does not depend on a running clock", async () => {
    vi.useFakeTimers();
    const call = batched(recordedVerb().method);
    expect(await Promise.all(["a", "b"].map(call))).toEqual(["many a", "many b"]);
    expect(await call("c")).toBe("one c");
  });

  it.each([["a"], ["a", "b"]])("rejects if the client throws synchronously: %s", async (...calls) => {
    const error = new Error("closed");
    const thrown = (): never => {
      throw error;
    };
    const answers = await Promise.allSettled(calls.map(batched({ runOne: thrown, runBatch: thrown })));
    expect(answers).toEqual(calls.map(() => ({ status: "rejected", reason: error })));
  });

  it("continues after a failed statement", async () => {
    const { method } = recordedVerb({ runBatch: () => Promise.reject(new Error("Connection terminated")) });
    const call = batched(method);
    for (let round = 0; round < 5; round += 1) await Promise.allSettled(["a", "b"].map(call));
    expect(await call("c")).toBe("one c");
  });
});
