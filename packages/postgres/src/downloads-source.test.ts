import { aCount, anApp, expectFailure, expectOk } from "@tillkit/contract-tests";
import { expect, it } from "vitest";
import { postgresAppStore } from "./app-store.js";
import { postgresDownloadsSource } from "./downloads-source.js";
import type { SqlClient } from "./sql-client.js";
import { statement } from "./statement.js";
import { tablesOf } from "./tables.js";
import { serverSchema } from "./testing/databases.js";

/** A source with the app of `aCount`. */
async function openSource() {
  const { sql, schema } = await serverSchema();
  await expectOk(postgresAppStore(sql, schema).insertOnce(anApp({ appId: aCount().appId })));
  return { sql, schema, source: postgresDownloadsSource(sql, schema) };
}

it("fails rather than writes a part when the server undoes it to end a deadlock", async () => {
  const { sql, schema, source } = await openSource();
  const held = aCount({ newDownloads: 1 });
  const more = [aCount({ store: "store_02" }), aCount({ store: "store_03" })];
  await expectOk(source.upsert([[held]]));
  const { downloads } = tablesOf(schema);
  const gate = "test gate";
  // The writing holds the gate and waits for the row; the other one holds the row and waits for the gate. The writing looks for a deadlock first.
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
    yield [held];
  })();
  const failed = await expectFailure(postgresDownloadsSource(gated, schema).upsert(once));
  await other;
  expect(failed).toMatchObject({ name: "storage.unavailable", cause: { code: "40P01" } });
  expect(await expectOk(source.read(held.appId, held.date, held.date))).toEqual([
    { store: held.store, days: [0], newDownloads: [7], updateDownloads: [held.updateDownloads] },
  ]);
});

it("fails rather than gives a count that is not exact", async () => {
  const { source } = await openSource();
  const largest = aCount({ newDownloads: Number.MAX_SAFE_INTEGER });
  await expectOk(source.increment(largest));
  await expectOk(source.increment({ ...largest, newDownloads: 2 }));
  const failed = await expectFailure(source.read(largest.appId, largest.date, largest.date));
  expect(String(failed.cause)).toContain("new_downloads");
});
