import {
  type DailyCount,
  type DownloadsSource,
  type StoreCounts,
  UNKNOWN_APPS_NAMED,
  unknownApp,
} from "@tillkit/core";
import { err, ok } from "neverthrow";
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
    `select named.app_id from json_array_elements_text($1::text::json) as named (app_id)
     where not exists (select from ${apps} held where held.app_id = named.app_id)
     order by named.app_id collate "C" limit ${UNKNOWN_APPS_NAMED}`,
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
            const appIds = new Set<string>();
            for await (const batch of batches) {
              for (const { appId } of batch) appIds.add(appId);
              await transaction.query(put, [JSON.stringify(batch.map(toRecord))]);
            }
            const nobodys = await transaction.query(unknown, [JSON.stringify([...appIds])]);
            if (nobodys.length > 0) return err(unknownApp(...nobodys.map((row) => text(row, "app_id"))));
            const [row] = await transaction.query(merge, []);
            if (row === undefined) throw new Error("The counts were not stored.");
            return ok({ written: integer(row, "written"), changed: integer(row, "changed") });
          },
          { once: true },
        ),
      ).andThen((outcome) => outcome),
    increment: ({ appId, store, date, newDownloads, updateDownloads }) =>
      guard(() => sql.query(increment, [appId, store, date, newDownloads, updateDownloads])).andThen(
        ({ length }) => (length === 0 ? err(unknownApp(appId)) : ok()),
      ),
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
