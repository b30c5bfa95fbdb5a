import { inspect } from "node:util";
import { describe, expect, it } from "vitest";
import { figuresOf } from "./harness/figures.js";
import { measure } from "./harness/measure.js";
import { overHttp } from "./harness/over-http.js";
import type { Contestant, Role } from "./harness/row.js";

const load = {
  connections: 2,
  steps: [{ method: "POST" as const, path: "/{n}", headers: { accept: "application/json" }, body: "{run}" }],
  expects: '"code":0',
};

/** Starts a server that always answers `body`. */
const contestant = (name: string, role: Role, body: object): Promise<Contestant> =>
  overHttp({
    name,
    role,
    program: new URL("servers/same-bytes.ts", import.meta.url),
    facts: { body: JSON.stringify(body) },
    load,
  });

// Each test starts processes, which is slow on a busy machine.
describe("a row over HTTP", { tags: "slow", timeout: 60_000 }, () => {
  it("measures servers in processes of their own, in turns", async () => {
    const turns: number[] = [];
    const [ours, limit] = await Promise.all([
      contestant("ours", "ours", { code: 0, data: 1 }),
      contestant("limit", "limit", { data: 1, code: 0 }),
    ]);
    const played = await measure(
      { work: "a smoke test", contestants: [ours, limit], targets: [] },
      { rounds: 2, roundMs: 100, warmWorks: 0, warmRounds: 2, onRound: (round) => turns.push(round) },
    );
    expect(turns).toEqual([0, 1, 2]);
    expect(played.map(({ name, role }) => [name, role])).toEqual([
      ["ours", "ours"],
      ["limit", "limit"],
    ]);
    for (const { perSecond, p50, p99, cpu, rss } of figuresOf(played)) {
      for (const seen of [perSecond.median, p50, p99, cpu, rss?.early, rss?.late])
        expect(seen).toBeGreaterThan(0);
    }
    expect(figuresOf(played)[0]?.ratio).toEqual({ median: 1, low: 1, high: 1 });
  });

  it("refuses contestants that do not answer the same", async () => {
    const [ours, other] = await Promise.all([
      contestant("ours", "ours", { code: 0, data: 1 }),
      contestant("other", "alternative", { code: 0, data: 2 }),
    ]);
    const row = { work: "a smoke test", contestants: [ours, other], targets: [] } as const;
    await expect(measure(row, { rounds: 1, roundMs: 100, warmWorks: 0, warmRounds: 2 })).rejects.toThrow(
      /"ours" and "other"/,
    );
  });

  it("does not count wrong answers as speed", async () => {
    const wrong = await contestant("ours", "ours", { code: 99_998 });
    const row = { work: "a smoke test", contestants: [wrong], targets: [] } as const;
    const refused = await measure(row, { rounds: 1, roundMs: 100, warmWorks: 0, warmRounds: 2 }).catch(
      (thrown: unknown) => inspect(thrown),
    );
    expect(refused).toMatch(/answers were wrong .*; one of them is .*99998/);
  });
});
