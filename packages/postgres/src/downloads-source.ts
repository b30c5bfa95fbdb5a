import type { DailyCount, DownloadsSource, StoreCounts } from "@tillkit/core";
import { guard } from "./guard.js";
import { integer, integers, text } from "./row.js";
import type { SqlClient, SqlRow } from "./sql-client.js";
import { sharing } from "./sharing.js";
import { statement } from "./statement.js";
import { tablesOf } from "./tables.js";

// A large file takes long to sort in, and whoever reads it for us may pause.
const UNHURRIED = "set local statement_timeout = 0; set local idle_in_transaction_session_timeout = '10min'";

/** `DownloadsSource` on PostgreSQL, over the tables of `schema`. */
export function postgresDownloadsSource(sql: SqlClient, schema: string): DownloadsSource {
  const { downloads } = tablesOf(schema);
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
  // Rows are locked in the order of their key, so two files of the same days cannot wait for each other. Of two counts of one day the
  // later stands. A row that holds the counts already is locked and not rewritten.
  const merge = statement(
    "downloads_merge",
    `with changed as (
       insert into ${downloads} as held (app_id, store, day, new_downloads, update_downloads)
       select distinct on (app_id, store, day) app_id, store, day, new_downloads, update_downloads
       from pg_temp.tillkit_counts order by app_id, store, day, place desc
       on conflict (app_id, store, day) do update
         set new_downloads = excluded.new_downloads, update_downloads = excluded.update_downloads
         where (held.new_downloads, held.update_downloads)
           is distinct from (excluded.new_downloads, excluded.update_downloads)
       returning 1
     )
     select count(*) as changed, (select count(*) from pg_temp.tillkit_counts) as written from changed`,
  );
  const increment = statement(
    "downloads_increment",
    `insert into ${downloads} as held (app_id, store, day, new_downloads, update_downloads)
     values ($1, $2, $3::text::date, $4, $5)
     on conflict (app_id, store, day) do update
       set new_downloads = held.new_downloads + excluded.new_downloads,
         update_downloads = held.update_downloads + excluded.update_downloads`,
  );
  return {
    read: (appId, start, end) => guard(() => readCounts(appId, start, end)),
    upsert: (batches) =>
      guard(() =>
        // Nobody can read the batches a second time.
        sql.transaction(
          async (transaction) => {
            await transaction.script(`${UNHURRIED}; ${aside}`);
            for await (const batch of batches)
              await transaction.query(put, [JSON.stringify(batch.map(toRecord))]);
            const [row] = await transaction.query(merge, []);
            if (row === undefined) throw new Error("The counts were not stored.");
            return { written: integer(row, "written"), changed: integer(row, "changed") };
          },
          { once: true },
        ),
      ),
    increment: ({ appId, store, date, newDownloads, updateDownloads }) =>
      guard(async () => {
        await sql.query(increment, [appId, store, date, newDownloads, updateDownloads]);
      }),
  };
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
