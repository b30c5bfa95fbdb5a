import { afterEach, describe, expect, it, vi } from "vitest";
import { shareReads } from "./share-reads.js";

/** Creates a read that hangs until the test resolves it, and records its calls. */
function hanging() {
  const asked: string[] = [];
  const ends: ((error?: Error) => void)[] = [];
  const read = shareReads(
    (...texts: readonly string[]) =>
      new Promise<readonly string[]>((resolve, reject) => {
        asked.push(texts.join(" "));
        ends.push((error) => {
          if (error === undefined) resolve(texts);
          else reject(error);
        });
      }),
  );
  return { read, asked, end: (place: number, error?: Error) => ends[place]?.(error) };
}

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

afterEach(() => {
  vi.useRealTimers();
});

describe("shareReads", () => {
  it("reads at once for a single call", async () => {
    const { read, asked, end } = hanging();
    for (const place of [0, 1]) {
      const answer = read("a");
      expect(asked).toHaveLength(place + 1);
      end(place);
      expect(await answer).toEqual(["a"]);
      await turn();
    }
  });

  it("starts one read for all calls that arrived during another read, when the other read has ended", async () => {
    const { read, asked, end } = hanging();
    const first = read("a");
    const [left, right] = [read("a"), read("a")];
    await turn();
    expect(asked).toEqual(["a"]);
    end(0);
    await first;
    await turn();
    expect(asked).toEqual(["a", "a"]);
    const later = read("a");
    end(1);
    expect(await left).toBe(await right);
    expect(await left).not.toBe(await first);
    await turn();
    expect(asked).toHaveLength(3);
    end(2);
    expect(await later).not.toBe(await left);
  });

  it("does not share reads between different arguments", async () => {
    const { read, asked, end } = hanging();
    const answers = [read("a", "b"), read("a b"), read("a")];
    expect(asked).toEqual(["a b", "a b", "a"]);
    [2, 1, 0].forEach((place) => {
      end(place);
    });
    expect(await Promise.all(answers)).toEqual([["a", "b"], ["a b"], ["a"]]);
  });

  it("fails only the calls that share a failed read", async () => {
    const { read, end } = hanging();
    const outcomes = Promise.allSettled([read("a"), read("a"), read("a")]);
    end(0);
    await turn();
    end(1, new Error("no answer"));
    expect((await outcomes).map(({ status }) => status)).toEqual(["fulfilled", "rejected", "rejected"]);
    await turn();
    const after = read("a");
    end(2);
    expect(await after).toEqual(["a"]);
  });

  it("continues after a failed read", async () => {
    const { read, end } = hanging();
    const outcomes = Promise.allSettled([read("a"), read("a")]);
    end(0, new Error("no answer"));
    await turn();
    end(1);
    expect((await outcomes).map(({ status }) => status)).toEqual(["rejected", "fulfilled"]);
  });

  it("waits at most 50 ms for a read that does not end", async () => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    const { read, asked, end } = hanging();
    void read("a");
    const second = read("a");
    await vi.advanceTimersByTimeAsync(49);
    expect(asked).toHaveLength(1);
    await vi.advanceTimersByTimeAsync(1);
    expect(asked).toHaveLength(2);
    end(1);
    expect(await second).toEqual(["a"]);
    expect(vi.getTimerCount()).toBe(0);
  });
});
