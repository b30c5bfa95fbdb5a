import { afterEach, describe, expect, it, vi } from "vitest";
import { grouped, type GroupedVerb } from "./grouped.js";

/** Creates a method that records its calls. It answers at once, or when a test makes it answer. */
function recordedVerb(overrides: Partial<GroupedVerb<string, string>> = {}) {
  const statements: (string | readonly string[])[] = [];
  const { one = (ask) => Promise.resolve(`one ${ask}`), many = answered, keyOf } = overrides;
  const verb: GroupedVerb<string, string> = {
    one: (ask) => {
      statements.push(ask);
      return one(ask);
    },
    many: (asks) => {
      statements.push(asks);
      return many(asks);
    },
    ...(keyOf === undefined ? {} : { keyOf }),
  };
  return { verb, statements };
}

function answered(asks: readonly string[]): Promise<ReadonlyMap<number, string>> {
  return Promise.resolve(new Map(asks.map((ask, place) => [place, `many ${ask}`])));
}

/** Creates a method whose statements hang until `release`, which resolves the oldest one. */
function hanging() {
  const held: (() => void)[] = [];
  const gate = (): Promise<void> => new Promise((resolve) => held.push(resolve));
  return {
    one: (ask: string) => gate().then(() => `one ${ask}`),
    many: (asks: readonly string[]) => gate().then(() => answered(asks)),
    release: () => held.shift()?.(),
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

describe("grouped", () => {
  it("sends an ask that is by itself in the same turn, by the statement for one", async () => {
    const { verb, statements } = recordedVerb();
    const ask = grouped(verb);
    const answer = ask("a");
    await turn();
    expect(statements).toEqual(["a"]);
    expect(await answer).toBe("one a");
  });

  it("sends the asks of one turn as one statement and gives each its own answer", async () => {
    const { verb, statements } = recordedVerb({
      many: async (asks) => new Map([...(await answered(asks))].toReversed()),
    });
    const ask = grouped(verb);
    const answers = Promise.all(["a", "b", "c"].map(ask));
    expect(await answers).toEqual(["many a", "many b", "many c"]);
    expect(statements).toEqual([["a", "b", "c"]]);
  });

  it("serves no more than atMost by one statement", async () => {
    const { verb, statements } = recordedVerb();
    await Promise.all(names(10).map(grouped(verb, { atMost: 4 })));
    expect(statements.map((asks) => asks.length)).toEqual([4, 4, 2]);
  });

  it("gives every ask a statement of its own with atMost 1", async () => {
    const { verb, statements } = recordedVerb();
    const ask = grouped(verb, { atMost: 1 });
    expect(await Promise.all(["a", "b"].map(ask))).toEqual(["one a", "one b"]);
    expect(statements).toEqual(["a", "b"]);
  });

  it.each([0, -1, 1.5, NaN])("takes no atMost of %s", (atMost) => {
    expect(() => grouped(recordedVerb().verb, { atMost })).toThrow(RangeError);
  });

  describe("while two statements are under way", () => {
    /** Starts four calls, with two per statement. None of them is answered. */
    const busy = async () => {
      vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
      const { release, ...hang } = hanging();
      const { verb, statements } = recordedVerb(hang);
      const ask = grouped(verb, { atMost: 2 });
      const first = names(4).map(ask);
      await turn();
      expect(statements).toHaveLength(2);
      const settle = async (asked: readonly Promise<string>[]) => {
        for (const _ of statements) release();
        await Promise.all([...first, ...asked]);
      };
      return { ask, statements, release, settle };
    };

    it("collects the asks that come, and sends them together when one of the two ends", async () => {
      const { ask, statements, release, settle } = await busy();
      const x = ask("x");
      await turn();
      const y = ask("y");
      await turn();
      expect(statements).toHaveLength(2);
      release();
      await turn();
      await turn();
      expect(statements.slice(2)).toEqual([["x", "y"]]);
      await settle([x, y]);
    });

    it("waits no longer than 50 milliseconds for any of the two", async () => {
      const { ask, statements, settle } = await busy();
      const late = ask("late");
      vi.advanceTimersByTime(49);
      await turn();
      expect(statements).toHaveLength(2);
      await vi.advanceTimersByTimeAsync(1);
      await turn();
      expect(statements.slice(2)).toEqual(["late"]);
      await settle([late]);
    });
  });

  it("never puts two of one key into one statement, and keeps their order", async () => {
    const { verb, statements } = recordedVerb({ keyOf: (ask) => ask.slice(0, 1) });
    await Promise.all(["a1", "b1", "a2", "c1", "a3", "b2"].map(grouped(verb)));
    expect(statements).toEqual([["a1", "b1", "c1"], ["a2", "b2"], "a3"]);
  });

  it("runs alone what the statement had no answer for", async () => {
    const { verb, statements } = recordedVerb({
      many: async (asks) => new Map([...(await answered(asks))].filter(([place]) => place !== 1)),
    });
    const answers = await Promise.all(["a", "b", "c"].map(grouped(verb)));
    expect(answers).toEqual(["many a", "one b", "many c"]);
    expect(statements).toEqual([["a", "b", "c"], "b"]);
  });

  it.each(["22021", "22P02", "23514", "54000", "40001", "40P01", "55P03", "57014"])(
    "fails only whoever is at fault when the server undid the statement: %s",
    async (code) => {
      const { verb, statements } = recordedVerb({
        one: (ask) => (ask === "b" ? Promise.reject(serverError(code)) : Promise.resolve(`one ${ask}`)),
        many: () => Promise.reject(serverError(code)),
      });
      const [a, b, c] = await Promise.allSettled(["a", "b", "c"].map(grouped(verb)));
      expect(statements).toEqual([["a", "b", "c"], "a", "b", "c"]);
      expect([a, c]).toEqual([
        { status: "fulfilled", value: "one a" },
        { status: "fulfilled", value: "one c" },
      ]);
      expect(b).toEqual({ status: "rejected", reason: serverError(code) });
    },
  );

  // The outcome is unknown: some of these errors end the connection while a commit may be in
  // transit.
  it.each([
    new Error("Connection terminated unexpectedly"),
    serverError("ECONNRESET"),
    serverError("08006"),
    serverError("40003"),
    serverError("57P01"),
    serverError("57P02"),
    serverError("58030"),
    serverError("XX000"),
  ])("fails everybody and repeats nothing when the outcome is open: %s", async (error) => {
    const { verb, statements } = recordedVerb({ many: () => Promise.reject(error) });
    const answers = await Promise.allSettled(["a", "b"].map(grouped(verb)));
    const failed = { status: "rejected", reason: error };
    expect(answers).toEqual([failed, failed]);
    expect(statements).toEqual([["a", "b"]]);
  });

  it("needs no time that moves", async () => {
    vi.useFakeTimers();
    const ask = grouped(recordedVerb().verb);
    expect(await Promise.all(["a", "b"].map(ask))).toEqual(["many a", "many b"]);
    expect(await ask("c")).toBe("one c");
  });

  it.each([["a"], ["a", "b"]])(
    "rejects what a client throws before it promises anything: %s",
    async (...asks) => {
      const error = new Error("closed");
      const thrown = (): never => {
        throw error;
      };
      const answers = await Promise.allSettled(asks.map(grouped({ one: thrown, many: thrown })));
      expect(answers).toEqual(asks.map(() => ({ status: "rejected", reason: error })));
    },
  );

  it("goes on after a statement that failed", async () => {
    const { verb } = recordedVerb({ many: () => Promise.reject(new Error("Connection terminated")) });
    const ask = grouped(verb);
    for (let round = 0; round < 5; round += 1) await Promise.allSettled(["a", "b"].map(ask));
    expect(await ask("c")).toBe("one c");
  });
});
