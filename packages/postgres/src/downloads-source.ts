import {
  type DailyCount,
  type DownloadsSource,
  isReservedStore,
  reservedStore,
  type StoreCounts,
  UNKNOWN_APPS_NAMED,
  unknownApp,
} from "@tillkit/core";
import { err, errAsync, ok } from "neverthrow";
import { guard } from "./guard.js";
import { integer, integers, text } from "./row.js";
import type { SqlClient, SqlRow, SqlValue } from "./sql-client.js";
import { sharing } from "./sharing.js";
import { statement } from "./statement.js";
import { tablesOf } from "./tables.js";

/**
 * What one statement of an import is given and stores, at most: an embedded database has what it is given in memory, and looks at its disk between two statements
 * and not within one. A row that can be stored has less than 3 kB of keys, since an index holds them.
 */
const PORTION = { bytes: 2 ** 20, rows: 1_000 } as const;

// A large file takes long to sort in, and whoever reads it for us may pause.
const UNHURRIED = "set local statement_timeout = 0; set local idle_in_transaction_session_timeout = '10min'";

/** `DownloadsSource` on PostgreSQL, over the tables of `schema`. */
export function postgresDownloadsSource(sql: SqlClient, schema: string): DownloadsSource {
  const { apps, downloads } = tablesOf(schema);
  // A row a store: a row a day costs the driver more than all the rest of a report. The days come as they are found, because sorting them
  // costs more than reading them, and they say themselves where they belong.
  const read = statement(
    "downloads_read",
    `select store, array_agg(day - $2::date)::text as days,
       array_agg(new_downloads)::text as new_downloads, array_agg(update_downloads)::text as update_downloads
     from ${downloads} where app_id = $1 and day between $2::date and $3::date group by store order by store`,
  );
  const readCounts = sharing(async (...range: readonly [appId: string, start: string, end: string]) =>
    (await sql.query(read, range)).map(toCounts),
  );
  // The whole file is put aside first, where it locks nothing: a table of the transaction's own, which ends with it.
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
  // In the transaction of the merge. No verb removes an app: one that is found is there when the counts are.
  const unknown = statement(
    "downloads_unknown_apps",
    `select distinct app_id from pg_temp.tillkit_counts named
     where not exists (select from ${apps} held where held.app_id = named.app_id)
     order by app_id limit ${UNKNOWN_APPS_NAMED}`,
  );
  const sort = `create index on pg_temp.tillkit_counts (app_id, store, day, place desc); analyze pg_temp.tillkit_counts`;
  // The portion that comes after a key. Rows are locked in the order of their key, so two files of the same days cannot wait for each other. Of two counts of one
  // day the later stands. A row that holds the counts already is locked and not rewritten.
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
     returning 1 as counted`,
  );
  return {
    read: (appId, start, end) => guard(() => readCounts(appId, start, end)),
    upsert: (batches) =>
      guard(() =>
        // Nobody can read the batches a second time.
        sql.transaction(
          async (transaction) => {
            await transaction.script(`${UNHURRIED}; ${aside}`);
            let written = 0;
            for await (const batch of batches) {
              if (batch.some(({ store }) => isReservedStore(store))) return err(reservedStore());
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
    increment: ({ appId, store, date, newDownloads, updateDownloads }) =>
      isReservedStore(store)
        ? errAsync(reservedStore())
        : guard(() => sql.query(increment, [appId, store, date, newDownloads, updateDownloads])).andThen(
            ({ length }) => (length === 0 ? err(unknownApp(appId)) : ok()),
          ),
  };
}

/** The counts as JSON arrays of a portion's bytes at most; a count that has more by itself is alone. */
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
