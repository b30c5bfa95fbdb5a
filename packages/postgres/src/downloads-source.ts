import type { DailyCount, DownloadsSource } from "@tillkit/core";
import { guard } from "./guard.js";
import { integer, text } from "./row.js";
import type { SqlClient, SqlRow } from "./sql-client.js";
import { statement } from "./statement.js";
import { tablesOf } from "./tables.js";

/** `DownloadsSource` on PostgreSQL, over the tables of `schema`. */
export function postgresDownloadsSource(sql: SqlClient, schema: string): DownloadsSource {
  const { downloads } = tablesOf(schema);
  const read = statement(
    "downloads_read",
    `select app_id, store, to_char(day, 'YYYY-MM-DD') as date, new_downloads, update_downloads from ${downloads}
     where app_id = $1 and day between $2::text::date and $3::text::date order by store, day`,
  );
  // Rows are locked in the order of their key, so two files of the same days cannot wait for each other. Of two counts of one day in one
  // file the later stands.
  const upsert = statement(
    "downloads_upsert",
    `insert into ${downloads} (app_id, store, day, new_downloads, update_downloads)
     select distinct on (app_id, store, day) app_id, store, day, new_downloads, update_downloads
     from rows from (json_to_recordset($1::text::json)
       as (app_id text collate "C", store text collate "C", day date, new_downloads bigint, update_downloads bigint)) with ordinality
       as count (app_id, store, day, new_downloads, update_downloads, place)
     order by app_id, store, day, place desc
     on conflict (app_id, store, day) do update
       set new_downloads = excluded.new_downloads, update_downloads = excluded.update_downloads`,
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
    read: (appId, start, end) => guard(async () => (await sql.query(read, [appId, start, end])).map(toCount)),
    upsert: (counts) =>
      guard(async () => {
        if (counts.length > 0) await sql.query(upsert, [JSON.stringify(counts.map(toRecord))]);
      }),
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

function toCount(row: SqlRow): DailyCount {
  return {
    appId: text(row, "app_id"),
    store: text(row, "store"),
    date: text(row, "date"),
    newDownloads: integer(row, "new_downloads"),
    updateDownloads: integer(row, "update_downloads"),
  };
}
