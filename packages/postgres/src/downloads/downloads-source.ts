import type { DailyCount } from "@tillkit/core";
import {
  countProblem,
  type CountFailure,
  type DownloadsSource,
  isReservedStore,
  reservedStore,
  resolveStores,
  type StoreCounts,
  sumTooLarge,
  unknownApp,
} from "@tillkit/core/ports";
import { err, errAsync, ok, type Result } from "neverthrow";
import { dayChanges } from "./change-days.js";
import { storeChanges } from "./change-stores.js";
import { shareReads } from "../batching/share-reads.js";
import { countImport } from "./import-counts.js";
import { integer, integers, text } from "../sql/row.js";
import type { SqlClient, SqlRow } from "../sql/sql-client.js";
import { storeClient } from "../cluster/store-client.js";
import { statement } from "../sql/statement.js";
import { putStoreNames, readStoreNames, storeNameStatements } from "./store-name-statements.js";
import { tablesOf } from "../sql/tables.js";
import { toStorageResult } from "../client/to-storage-result.js";

/** Creates a `DownloadsSource` on PostgreSQL, over the tables of `schema`. */
export function postgresDownloadsSource(client: SqlClient, schema: string): DownloadsSource {
  const sql = storeClient(client, schema);
  const tables = tablesOf(schema);
  const { apps, downloads, store_names } = tables;
  const names = storeNameStatements(tables);
  // The statement returns one row per store, because one row per day would dominate the cost of a
  // report. The days are unsorted, because sorting costs more than reading. The three arrays have
  // the same order.
  const read = statement(
    "downloads_read",
    `select store, array_agg(day - $2::date)::text as days,
       array_agg(new_downloads)::text as new_downloads, array_agg(update_downloads)::text as update_downloads
     from ${downloads} where app_id = $1 and day between $2::date and $3::date group by store order by store`,
  );
  const readCounts = shareReads(async (...range: readonly [appId: string, start: string, end: string]) =>
    (await sql.query(read, range)).map(toCounts),
  );
  const coverage = statement(
    "downloads_coverage",
    `select store, min(day)::text as first_day, max(day)::text as last_day, count(*) as days
     from ${downloads} where app_id = $1 group by store order by store`,
  );
  // Reads the name with a lock. So a change of the registry waits for the increment, or the
  // increment waits and reads the changed name.
  const increment = statement(
    "downloads_increment",
    `with named as (select store from ${store_names} where name = $2 for share)
     insert into ${downloads} as held (app_id, store, day, new_downloads, update_downloads)
     select $1, named.store, $3::text::date, $4, $5 from named
     where exists (select from ${apps} where app_id = $1)
     on conflict (app_id, store, day) do update
       set new_downloads = held.new_downloads + excluded.new_downloads,
         update_downloads = held.update_downloads + excluded.update_downloads
       where held.new_downloads + excluded.new_downloads <= ${Number.MAX_SAFE_INTEGER}
         and held.update_downloads + excluded.update_downloads <= ${Number.MAX_SAFE_INTEGER}
     returning 1 as counted`,
  );
  const knownApp = statement("downloads_known_app", `select 1 as known from ${apps} where app_id = $1`);
  const knownName = statement("store_name_find", `select store from ${store_names} where name = $1`);

  /** Adds a name to the registry, unless another call has added it. */
  const register = (store: string) =>
    sql.transaction<Result<void, CountFailure>>(async (transaction) => {
      await transaction.query(names.lock, []);
      const resolved = resolveStores(await readStoreNames(transaction, names), [store], false);
      if (resolved.isErr()) return err(resolved.error);
      await putStoreNames(transaction, names, resolved.value.added);
      return ok();
    });

  const add = async ({
    appId,
    store,
    date,
    newDownloads,
    updateDownloads,
  }: DailyCount): Promise<Result<void, CountFailure>> => {
    // No call removes a name. So if the increment changes no row although the app and the name
    // exist, the sum is too large.
    for (let isKnown = false; ; isKnown = true) {
      const added = await sql.query(increment, [appId, store, date, newDownloads, updateDownloads]);
      if (added.length > 0) return ok();
      if ((await sql.query(knownApp, [appId])).length === 0) return err(unknownApp(appId));
      if (isKnown) return err(sumTooLarge());
      if ((await sql.query(knownName, [store])).length > 0) continue;
      const registered = await register(store);
      if (registered.isErr()) return registered;
    }
  };
  const upsert = countImport(sql, tables, names);
  const changeStores = storeChanges(sql, tables, names);
  const changeDays = dayChanges(sql, tables, names, knownApp);
  return {
    read: (appId, start, end) => toStorageResult(() => readCounts(appId, start, end)),
    upsert: (batches, options) =>
      toStorageResult(() => upsert(batches, options)).andThen((outcome) => outcome),
    increment: (count) => {
      if (isReservedStore(count.store)) return errAsync(reservedStore());
      const problem = countProblem(count);
      if (problem !== undefined) return errAsync(problem);
      return toStorageResult(() => add(count)).andThen((outcome) => outcome);
    },
    storeNames: () => toStorageResult(() => readStoreNames(sql, names)),
    changeStores: (change, dryRun, audit) =>
      toStorageResult(() => changeStores(change, dryRun, audit)).andThen((outcome) => outcome),
    changeDays: (days, next, dryRun, audit) =>
      toStorageResult(() => changeDays(days, next, dryRun, audit)).andThen((outcome) => outcome),
    coverage: (appId) =>
      toStorageResult(async () =>
        (await sql.query(coverage, [appId])).map((row) => ({
          store: text(row, "store"),
          firstDay: text(row, "first_day"),
          lastDay: text(row, "last_day"),
          days: integer(row, "days"),
        })),
      ),
  };
}

function toCounts(row: SqlRow): StoreCounts {
  return {
    store: text(row, "store"),
    days: integers(row, "days"),
    newDownloads: integers(row, "new_downloads"),
    updateDownloads: integers(row, "update_downloads"),
  };
}
