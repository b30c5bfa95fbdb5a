import type { DayCounts } from "@tillkit/core/ports";
import { integer } from "../sql/row.js";
import type { SqlRow } from "../sql/sql-client.js";
import { statement } from "../sql/statement.js";
import type { Tables } from "../sql/tables.js";

/** Creates the statements that read and write the counts of many days of one app. */
export function dayStatements({ downloads }: Pick<Tables, "downloads">) {
  return {
    /**
     * Locks and returns stored counts. Placeholders: app, an array of stores and days as JSON.
     *
     * PostgreSQL has no statistics of rows that an import has just written. With `lateral` and the
     * two comparisons of rows, it looks up each key in the primary key.
     */
    hold: statement(
      "downloads_hold",
      `select held.* from json_to_recordset($2::text::json) as given (store text, day date)
       cross join lateral (
         select store, day::text as day, new_downloads, update_downloads from ${downloads} d
         where d.app_id = $1 and (d.store, d.day) >= (given.store, given.day)
           and (d.store, d.day) <= (given.store, given.day) for update
       ) held`,
    ),
    /** Sets counts. Placeholders: app, an array of counts as JSON. */
    write: statement(
      "downloads_write",
      `insert into ${downloads} (app_id, store, day, new_downloads, update_downloads)
       select $1::text, store, day, new_downloads, update_downloads
       from json_to_recordset($2::text::json)
         as given (store text, day date, new_downloads bigint, update_downloads bigint)
       on conflict (app_id, store, day) do update
         set new_downloads = excluded.new_downloads, update_downloads = excluded.update_downloads`,
    ),
  };
}

/** Reads the counts of a day. */
export function dayCounts(row: SqlRow): DayCounts {
  return {
    newDownloads: integer(row, "new_downloads"),
    updateDownloads: integer(row, "update_downloads"),
  };
}

/** Returns whether the counts of two days are equal. */
export function areEqualCounts(left: DayCounts, right: DayCounts): boolean {
  return left.newDownloads === right.newDownloads && left.updateDownloads === right.updateDownloads;
}
