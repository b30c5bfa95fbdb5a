import { expect, it, onTestFinished, vi } from "vitest";
import type { SqlRunner } from "../sql/sql-client.js";
import { statement } from "../sql/statement.js";
import { withNestedCalls } from "./nested-calls.js";

const ONE = statement("test_one", "select 1 as one");
const NESTED = { nestedCalls: true };

/** A runner without a database, which runs any number of transactions at once. */
const endless: SqlRunner = {
  query: async () => [],
  script: async () => undefined,
  transaction: (work) => work(endless),
};

/** Returns a piece of work that lasts until `end` is called. */
function aWork() {
  let end = (): void => undefined;
  const ended = new Promise<void>((resolve) => {
    end = resolve;
  });
  return { run: vi.fn(() => ended), end };
}

it.each([
  { connections: 3, atOnce: 2 },
  { connections: 1, atOnce: 1 },
  { connections: undefined, atOnce: 1 },
])(
  "a runner runs $atOnce transactions with nested calls at once over $connections connections, in their order",
  async ({ connections, atOnce }) => {
    const runner = withNestedCalls(endless, { connections, waitMs: 60_000 });
    const works = Array.from({ length: 4 }, aWork);
    const results = works.map(({ run }) => runner.transaction(run, NESTED));
    const begun = () => works.map(({ run }) => run.mock.calls.length);
    await vi.waitFor(() => expect(begun().filter((calls) => calls === 1)).toHaveLength(atOnce));
    // Transactions without nested calls do not wait.
    await runner.transaction(async () => undefined);
    for (const [nth, work] of works.entries()) {
      expect(begun()).toEqual(works.map((_, other) => (other < nth + atOnce ? 1 : 0)));
      work.end();
      await results[nth];
      await vi.waitFor(() => expect(begun()[nth + atOnce] ?? 1).toBe(1));
    }
  },
);

it("a runner frees the slot of a transaction that fails, and rejects a transaction that waits too long", async () => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  onTestFinished(() => void vi.useRealTimers());
  const runner = withNestedCalls(endless, { connections: 2, waitMs: 50 });
  await expect(runner.transaction(() => Promise.reject(new Error("full")), NESTED)).rejects.toThrow("full");
  const work = aWork();
  const running = runner.transaction(work.run, NESTED);
  const late = expect(runner.transaction(async () => 1, NESTED)).rejects.toThrow(/within 50 ms.*enlarge/);
  await vi.advanceTimersByTimeAsync(50);
  await late;
  work.end();
  await running;
  expect(await runner.transaction(async () => 2, NESTED)).toBe(2);
  expect(vi.getTimerCount()).toBe(0);
});

it("a runner with one connection refuses a nested call only while the transaction is open", async () => {
  const runner = withNestedCalls(endless, { connections: 1, waitMs: 50 });
  const calls = () => [runner.query(ONE, []), runner.script("select 1"), runner.transaction(async () => [])];
  const after = await runner.transaction(async (queries) => {
    expect(await queries.query(ONE, [])).toEqual([]);
    for (const call of calls()) await expect(call).rejects.toThrow("holds the only connection");
    // Runs in the context of the transaction, after its end.
    return { later: new Promise((resolve) => void setTimeout(resolve, 0)).then(() => runner.query(ONE, [])) };
  }, NESTED);
  expect(await after.later).toEqual([]);
  await Promise.all(calls());
});
