import { randomBytes } from "node:crypto";
import { aCount, anApp, expectFailure, expectOk } from "@tillkit/contract-tests";
import { expect, it } from "vitest";
import { postgresAppStore } from "../apps/app-store.js";
import { postgresDownloadsSource } from "./downloads-source.js";
import type { SqlClient, SqlRow, SqlStatement, SqlValue } from "../sql/sql-client.js";
import { statement } from "../sql/statement.js";
import { tablesOf } from "../sql/tables.js";
import { serverSchema } from "../testing/databases.js";

/** Creates a source with the app of `aCount`. */
async function openSource() {
  const { sql, schema } = await serverSchema();
  await expectOk(postgresAppStore(sql, schema).insertOnce(anApp({ appId: aCount().appId })));
  return { sql, schema, source: postgresDownloadsSource(sql, schema) };
}

it("an upsert that the server rolls back to end a deadlock fails and writes nothing", async () => {
  const { sql, schema, source } = await openSource();
  const stored = aCount({ newDownloads: 1 });
  const more = [aCount({ store: "store_02" }), aCount({ store: "store_03" })];
  await expectOk(source.upsert([[stored]]));
  const { downloads } = tablesOf(schema);
  const gate = "test gate";
  // The first transaction holds the gate and waits for the row. The second transaction holds the
  // row and waits for the gate. PostgreSQL looks for the deadlock in the first transaction first.
  const gated: SqlClient = {
    ...sql,
    transaction: (work, options) =>
      sql.transaction(async (transaction) => {
        await transaction.script(
          `set local deadlock_timeout = '10ms'; select pg_advisory_xact_lock(hashtext('${gate}'))`,
        );
        return work(transaction);
      }, options),
  };
  const waiting = statement(
    "test_waiting",
    `select exists (select from pg_stat_activity where wait_event = 'advisory' and query like '%${gate}%') as found`,
  );
  const contender = () =>
    sql.transaction((transaction) =>
      transaction.script(
        `set local deadlock_timeout = '1h'; update ${downloads} set new_downloads = 7;
         select pg_advisory_xact_lock(hashtext('${gate}'))`,
      ),
    );
  let other: Promise<void> = Promise.resolve();
  const once = (async function* () {
    yield more;
    other = contender();
    await expect.poll(() => sql.query(waiting, [])).toEqual([{ found: true }]);
    yield [stored];
  })();
  const failed = await expectFailure(postgresDownloadsSource(gated, schema).upsert(once));
  await other;
  expect(failed).toMatchObject({ name: "storage.unavailable", cause: { code: "40P01" } });
  expect(await expectOk(source.read(stored.appId, stored.date, stored.date))).toEqual([
    { store: stored.store, days: [0], newDownloads: [7], updateDownloads: [stored.updateDownloads] },
  ]);
});

/**
 * Wraps a client so that each query of a transaction calls `around` instead. `run` executes the
 * query.
 */
function queryingBy(
  sql: SqlClient,
  around: (
    run: () => Promise<readonly SqlRow[]>,
    statement: SqlStatement,
    values: readonly SqlValue[],
  ) => Promise<readonly SqlRow[]>,
): SqlClient {
  return {
    ...sql,
    transaction: (work, options) =>
      sql.transaction(
        (transaction) =>
          work({
            ...transaction,
            query: (one, values) => around(() => transaction.query(one, values), one, values),
          }),
        options,
      ),
  };
}

it("an upsert limits the input of each statement, for long values and many counts", async () => {
  const { sql, schema } = await openSource();
  const given = new Array<number>();
  const portions = new Array<number>();
  const watched = queryingBy(sql, async (run, { name }, values) => {
    const rows = await run();
    if (name.startsWith("downloads_put")) given.push(Buffer.byteLength(String(values[0])));
    if (name.startsWith("downloads_portion")) portions.push(rows.length);
    if (/^downloads_(?:hold|write)_/.test(name)) given.push(Buffer.byteLength(String(values[1])));
    return rows;
  });
  // Chinese characters have three bytes each, and an index can hold values of this length.
  const long = Array.from({ length: 2_500 }, (_, index) =>
    aCount({ store: `${"会".repeat(600)}${String(index).padStart(4, "0")}`, newDownloads: index }),
  );
  // The later of two counts of a day wins, even if many other counts are between them.
  const corrected = long.slice(0, 2).map((count) => ({ ...count, newDownloads: 9_999 }));
  const upserted = await expectOk(postgresDownloadsSource(watched, schema).upsert([[...long, ...corrected]]));
  expect(upserted).toEqual({ written: 2_502, changed: 2_500, added: 2_500, unchanged: 0 });
  expect(given.length).toBeGreaterThan(4);
  expect(Math.max(...given)).toBeLessThanOrEqual(2 ** 20 + 2);
  expect(portions).toEqual([1_000, 1_000, 500, 0]);
  const [count] = long;
  const stored = await expectOk(
    postgresDownloadsSource(sql, schema).read("app_1", aCount().date, aCount().date),
  );
  expect(stored).toHaveLength(2_500);
  expect(stored.slice(0, 3)).toMatchObject([
    { store: count?.store, newDownloads: [9_999] },
    { newDownloads: [9_999] },
    { newDownloads: [2] },
  ]);
});

it("an upsert limits the input of each statement also if every count belongs to a different unknown app", async () => {
  const { sql, schema } = await openSource();
  const given = new Array<number>();
  const watched = queryingBy(sql, (run, _, values) => {
    given.push(Buffer.byteLength(JSON.stringify(values.map(String))));
    return run();
  });
  const unknownRows = Array.from({ length: 40 }, (_, index) =>
    Array.from({ length: 200 }, (__, nth) => aCount({ appId: `${"会".repeat(60)}${index * 200 + nth}` })),
  );
  const failed = await expectFailure(postgresDownloadsSource(watched, schema).upsert(unknownRows));
  expect(failed).toMatchObject({ name: "app.unknown" });
  expect(given.length).toBeGreaterThan(40);
  expect(Math.max(...given)).toBeLessThan(2 ** 20);
});

it("an upsert sends a count longer than the limit in a statement of its own, and the database refuses the count", async () => {
  const { source } = await openSource();
  const longest = aCount({ store: randomBytes(2 ** 20).toString("base64") });
  expect(await expectFailure(source.upsert([[aCount(), longest, aCount({ store: "b" })]]))).toMatchObject({
    name: "storage.unavailable",
    cause: { code: "54000" },
  });
  expect(await expectOk(source.read("app_1", "2000-01-01", "2100-01-01"))).toEqual([]);
});

it("an upsert writes nothing if the disk is full after a part of the file", async () => {
  const { sql, schema, source } = await openSource();
  let writes = 0;
  const filling = queryingBy(sql, (run, { name }) =>
    name.startsWith("downloads_write") && (writes += 1) > 1
      ? Promise.reject(new Error("The disk is full."))
      : run(),
  );
  const many = Array.from({ length: 1_500 }, (_, index) => aCount({ store: `store_${index}` }));
  await expectFailure(postgresDownloadsSource(filling, schema).upsert([many]));
  expect(writes).toBe(2);
  expect(await expectOk(source.read("app_1", "2000-01-01", "2100-01-01"))).toEqual([]);
});
