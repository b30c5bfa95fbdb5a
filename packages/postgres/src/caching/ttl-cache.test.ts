import { orThrow } from "@tillkit/core";
import fc from "fast-check";
import { errAsync, ok, okAsync, type Result, ResultAsync } from "neverthrow";
import { describe, expect, it } from "vitest";
import { ttlCache } from "./ttl-cache.js";

/** Creates a result that a test resolves. */
function answer<T, E = never>() {
  let give: (result: Result<T, E>) => void = () => undefined;
  const promise = new Promise<Result<T, E>>((resolve) => {
    give = resolve;
  });
  return { result: new ResultAsync(promise), give: (result: Result<T, E>) => give(result) };
}

/** Creates a cache with the clock `clock.now`. */
function openTtlCache<T = string>() {
  const clock = { now: 5_000 };
  return { clock, memory: ttlCache<T>(() => clock.now) };
}

const found = <T>(value: T) => okAsync<T>(value);

describe("ttlCache", () => {
  it("returns the same cached object for one second from the start of the look-up", async () => {
    const { clock, memory } = openTtlCache<{ readonly id: string }>();
    const value = { id: "a" };
    expect(memory.getCached("a")).toBeUndefined();
    const slow = answer<typeof value>();
    const looking = memory.find("a", () => slow.result);
    clock.now += 400;
    slow.give(ok(value));
    expect(await orThrow(looking)).toBe(value);
    clock.now += 600;
    expect(memory.getCached("a")).toBe(value);
    expect(memory.getCached("a")).toBe(value);
    expect(memory.getCached("b")).toBeUndefined();
    clock.now += 1;
    expect(memory.getCached("a")).toBeUndefined();
  });

  it("caches neither `undefined` nor a failure, and drops a value that no longer exists", async () => {
    const { memory } = openTtlCache();
    await memory.find("a", () => found("there"));
    await memory.find("a", () => errAsync("unavailable"));
    expect(memory.getCached("a")).toBe("there");
    await memory.find("a", () => found(undefined));
    expect(memory.getCached("a")).toBeUndefined();
  });

  it("caches the result of the look-up that began last, whichever ends last", async () => {
    const { clock, memory } = openTtlCache();
    const slow = answer<string>();
    const looking = memory.find("a", () => slow.result);
    clock.now += 1;
    await memory.find("a", () => found("new"));
    slow.give(ok("old"));
    await looking;
    expect(memory.getCached("a")).toBe("new");
  });

  it("returns no cached value during a change, despite look-ups in the meantime", async () => {
    const { memory } = openTtlCache();
    await memory.find("a", () => found("old"));
    const slow = answer<string>();
    const changing = memory.change(() => slow.result);
    expect(memory.getCached("a")).toBeUndefined();
    await memory.find("a", () => found("old"));
    expect(memory.getCached("a")).toBeUndefined();
    slow.give(ok("done"));
    expect(await orThrow(changing)).toBe("done");
    expect(memory.getCached("a")).toBeUndefined();
    await memory.find("a", () => found("new"));
    expect(memory.getCached("a")).toBe("new");
  });

  it.each(["before", "during"])(
    "caches nothing from a look-up that began %s a change and ended after it",
    async (when) => {
      const { memory } = openTtlCache();
      const [slow, change] = [answer<string>(), answer<undefined>()];
      const look = () => memory.find("a", () => slow.result);
      const early = when === "before" ? look() : undefined;
      const changing = memory.change(() => change.result);
      const looking = early ?? look();
      change.give(ok(undefined));
      await changing;
      slow.give(ok("old"));
      await looking;
      expect(memory.getCached("a")).toBeUndefined();
    },
  );

  it.each([
    ["fails", () => errAsync("unavailable")],
    ["throws", () => new ResultAsync<void, string>(Promise.reject(new Error("thrown")))],
  ])("caches again after a change that %s", async (_how, make) => {
    const { memory } = openTtlCache();
    await Promise.resolve(memory.change(make)).catch(() => undefined);
    await memory.find("a", () => found("a"));
    expect(memory.getCached("a")).toBe("a");
  });

  it("holds at most 10 000 values, and drops the oldest first", async () => {
    const { memory } = openTtlCache();
    for (let key = 0; key < 10_001; key += 1) await memory.find(String(key), () => found(String(key)));
    expect(memory.getCached("0")).toBeUndefined();
    expect(memory.getCached("1")).toBe("1");
    expect(memory.getCached("10000")).toBe("10000");
  });

  it("keeps its guarantees for any sequence of look-ups, its own changes and changes of other processes", async () => {
    type Deed = "look" | "read" | "heard" | "change" | "effect" | "changed" | "other" | 300 | 800;
    const deeds: readonly Deed[] = [
      "look",
      "read",
      "heard",
      "change",
      "effect",
      "changed",
      "other",
      300,
      800,
    ];
    await fc.assert(
      fc.asyncProperty(fc.array(fc.constantFrom(...deeds), { maxLength: 40 }), async (course) => {
        const { clock, memory } = openTtlCache<number>();
        let version = 0;
        const endedAt: number[] = [];
        const next = () => {
          endedAt[version] = clock.now;
          version += 1;
        };
        const looks: { seen?: number; give: (version: number) => Promise<unknown> }[] = [];
        const changes: { done: boolean; end: () => Promise<unknown> }[] = [];
        let least = 0;
        for (const deed of course) {
          if (typeof deed === "number") clock.now += deed;
          else if (deed === "other") next();
          else if (deed === "look") {
            const { result, give } = answer<number>();
            const looking = memory.find("a", () => result);
            looks.push({ give: (seen) => (give(ok(seen)), Promise.resolve(looking)) });
          } else if (deed === "read") {
            const look = looks.find(({ seen }) => seen === undefined);
            if (look !== undefined) look.seen = version;
          } else if (deed === "heard") {
            const at = looks.findIndex(({ seen }) => seen !== undefined);
            const [look] = at < 0 ? [] : looks.splice(at, 1);
            await look?.give(look.seen ?? 0);
          } else if (deed === "change") {
            const { result, give } = answer<undefined>();
            const changing = memory.change(() => result);
            changes.push({ done: false, end: () => (give(ok(undefined)), Promise.resolve(changing)) });
          } else if (deed === "effect") {
            const change = changes.find(({ done }) => !done);
            if (change !== undefined) {
              next();
              change.done = true;
            }
          } else {
            const at = changes.findIndex(({ done }) => done);
            const [change] = at < 0 ? [] : changes.splice(at, 1);
            if (change !== undefined) least = version;
            await change?.end();
          }
          const cached = memory.getCached("a");
          if (changes.length > 0) expect(cached).toBeUndefined();
          if (cached === undefined) continue;
          expect(cached).toBeGreaterThanOrEqual(least);
          expect(clock.now - (endedAt[cached] ?? clock.now)).toBeLessThanOrEqual(1_000);
        }
      }),
      { numRuns: 500 },
    );
  });
});
