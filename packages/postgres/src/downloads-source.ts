import {
  countProblem,
  type DailyCount,
  type DownloadsSource,
  firstProblem,
  isReservedStore,
  reservedStore,
  type StoreCounts,
  sumTooLarge,
  MAX_UNKNOWN_APPS_LISTED,
  unknownApp,
} from "@tillkit/core";
import { err, errAsync, ok } from "neverthrow";
import { toStorageResult } from "./to-storage-result.js";
import { integer, integers, text } from "./row.js";
import type { SqlClient, SqlRow, SqlValue } from "./sql-client.js";
import { coalesce } from "./coalesce.js";
import { statement } from "./statement.js";
import { tablesOf } from "./tables.js";

/**
 * The limits of one statement of an import.
 *
 * An embedded database holds the input of a statement in memory, and checks its free disk space
 * only between two statements. The keys of a row have less than 3 kB, because an index holds them.
 */
const PORTION = { bytes: 2 ** 20, rows: 1_000 } as const;

// Sorting a large file takes long, and the caller may pause between two batches.
const UNHURRIED = "set local statement_timeout = 0; set local idle_in_transaction_session_timeout = '10min'";

/** Creates a `DownloadsSource` on PostgreSQL, over the tables of `schema`. */
export function postgresDownloadsSource(sql: SqlClient, schema: string): DownloadsSource {
  const { apps, downloads } = tablesOf(schema);
  // The statement returns one row per store, because one row per day would dominate the cost of a
  // report. The days are unsorted, because sorting costs more than reading. Each entry has its own
  // day.
  const read = statement(
    "downloads_read",
    `select store, array_agg(day - $2::date)::text as days,
       array_agg(new_downloads)::text as new_downloads, array_agg(update_downloads)::text as update_downloads
     from ${downloads} where app_id = $1 and day between $2::date and $3::date group by store order by store`,
  );
  const readCounts = coalesce(async (...range: readonly [appId: string, start: string, end: string]) =>
    (await sql.query(read, range)).map(toCounts),
  );
  // The import first fills a temporary table, which needs no locks on stored counts. PostgreSQL
  // drops the table at the end of the transaction.
  const aside = `create temporary table tillkit_counts (
       place bigint generated always as identity,
       app_id text collate "C" not null, store text collate "C" not null, day date not null,
       new_downloads bigint not null, update_downloads bigint not null
     ) on commit drop`;
  const put = statement(
    "downloads_put",
    `insert into pg_temp.tillkit_counts (app_id, store, day, new_downloads, update_downloads)
     select * from json_to_recordset($1::text::json)
       as count (app_id text, store text, day date, new_downloads bigint, update_downloads bigint)`,
  );
  // Runs in the transaction of the merge. No store method deletes an app, so an app that exists
  // here still exists when the counts are stored.
  const unknown = statement(
    "downloads_unknown_apps",
    `select distinct app_id from pg_temp.tillkit_counts named
     where not exists (select from ${apps} held where held.app_id = named.app_id)
     order by app_id limit ${MAX_UNKNOWN_APPS_LISTED}`,
  );
  const sort = `create index on pg_temp.tillkit_counts (app_id, store, day, place desc); analyze pg_temp.tillkit_counts`;
  // Merges the portion that follows a key. The statement locks rows in the order of their keys, so
  // two imports of the same days cannot deadlock. If a day has two counts, the later one wins. Rows
  // with unchanged counts are locked but not rewritten.
  const merge = statement(
    "downloads_merge",
    `with portion as (
       select distinct on (app_id, store, day) app_id, store, day, new_downloads, update_downloads
       from pg_temp.tillkit_counts where (app_id, store, day) > ($1, $2, $3::text::date)
       order by app_id, store, day, place desc limit ${PORTION.rows}
     ), changed as (
       insert into ${downloads} as held (app_id, store, day, new_downloads, update_downloads)
       select app_id, store, day, new_downloads, update_downloads from portion
       on conflict (app_id, store, day) do update
         set new_downloads = excluded.new_downloads, update_downloads = excluded.update_downloads
         where (held.new_downloads, held.update_downloads)
           is distinct from (excluded.new_downloads, excluded.update_downloads)
       returning 1
     )
     select app_id, store, day::text, (select count(*) from changed) as changed from portion
     order by app_id desc, store desc, portion.day desc limit 1`,
  );
  const increment = statement(
    "downloads_increment",
    `insert into ${downloads} as held (app_id, store, day, new_downloads, update_downloads)
     select $1, $2, $3::text::date, $4, $5 where exists (select from ${apps} where app_id = $1)
     on conflict (app_id, store, day) do update
       set new_downloads = held.new_downloads + excluded.new_downloads,
         update_downloads = held.update_downloads + excluded.update_downloads
       where held.new_downloads + excluded.new_downloads <= ${Number.MAX_SAFE_INTEGER}
         and held.update_downloads + excluded.update_downloads <= ${Number.MAX_SAFE_INTEGER}
     returning 1 as counted`,
  );
  const knownApp = statement("downloads_known_app", `select 1 as known from ${apps} where app_id = $1`);
  return {
    read: (appId, start, end) => toStorageResult(() => readCounts(appId, start, end)),
    upsert: (batches) =>
      toStorageResult(() =>
        // The batches can be read only once, so a retry is impossible.
        sql.transaction(
          async (transaction) => {
            await transaction.script(`${UNHURRIED}; ${aside}`);
            let written = 0;
            for await (const batch of batches) {
              if (batch.some(({ store }) => isReservedStore(store))) return err(reservedStore());
              const problem = firstProblem(batch);
              if (problem !== undefined) return err(problem);
              for (const portion of portionsOf(batch)) await transaction.query(put, [portion]);
              written += batch.length;
            }
            const nobodys = await transaction.query(unknown, []);
            if (nobodys.length > 0) return err(unknownApp(...nobodys.map((row) => text(row, "app_id"))));
            await transaction.script(sort);
            let changed = 0;
            for (let after: readonly SqlValue[] = ["", "", "-infinity"]; ;) {
              const [last] = await transaction.query(merge, after);
              if (last === undefined) return ok({ written, changed });
              changed += integer(last, "changed");
              after = [text(last, "app_id"), text(last, "store"), text(last, "day")];
            }
          },
          { once: true },
        ),
      ).andThen((outcome) => outcome),
    increment: (count) => {
      const { appId, store, date, newDownloads, updateDownloads } = count;
      if (isReservedStore(store)) return errAsync(reservedStore());
      const problem = countProblem(count);
      if (problem !== undefined) return errAsync(problem);
      return toStorageResult(async () => {
        const added = await sql.query(increment, [appId, store, date, newDownloads, updateDownloads]);
        if (added.length > 0) return ok();
        const known = await sql.query(knownApp, [appId]);
        return known.length > 0 ? err(sumTooLarge()) : err(unknownApp(appId));
      }).andThen((outcome) => outcome);
    },
  };
}

/**
 * Splits counts into JSON arrays of at most `PORTION.bytes`. A larger count is alone in its array.
 */
function* portionsOf(batch: readonly DailyCount[]): Generator<string> {
  let [records, bytes] = [new Array<string>(), 0];
  for (const count of batch) {
    const record = JSON.stringify(toRecord(count));
    const more = Buffer.byteLength(record) + 1;
    if (records.length > 0 && bytes + more > PORTION.bytes) {
      yield `[${records.join(",")}]`;
      [records, bytes] = [[], 0];
    }
    records.push(record);
    bytes += more;
  }
  if (records.length > 0) yield `[${records.join(",")}]`;
}

function toRecord({ appId, store, date, newDownloads, updateDownloads }: DailyCount) {
  return {
    app_id: appId,
    store,
    day: date,
    new_downloads: newDownloads,
    update_downloads: updateDownloads,
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
