import type { DailyCount } from "@tillkit/core";
import {
  type CountBatches,
  type CountFailure,
  type DayCounts,
  firstProblem,
  isReservedStore,
  MAX_STORE_NAMES,
  MAX_UNKNOWN_APPS_LISTED,
  reservedStore,
  resolveStores,
  unknownApp,
  type UpsertedCounts,
  type UpsertOptions,
} from "@tillkit/core/ports";
import { err, ok, type Result } from "neverthrow";
import { areEqualCounts, dayCounts, dayStatements } from "./day-statements.js";
import { text } from "../sql/row.js";
import type { SqlClient, SqlQueries, SqlRow, SqlValue } from "../sql/sql-client.js";
import { statement } from "../sql/statement.js";
import { putStoreNames, readStoreNames, type StoreNameStatements } from "./store-name-statements.js";
import type { Tables } from "../sql/tables.js";

/**
 * The limits of one statement of an import.
 *
 * An embedded database holds the input of a statement in memory, and checks its free disk space
 * only between two statements. The keys of a row have less than 3 kB, because an index holds them.
 */
const PORTION = { bytes: 2 ** 20, rows: 1_000 } as const;

// Sorting a large file takes long, and the caller may pause between two batches.
const UNHURRIED = "set local statement_timeout = 0; set local idle_in_transaction_session_timeout = '10min'";

// The import first fills a temporary table, which needs no locks on stored counts. PostgreSQL
// drops the table at the end of the transaction.
const ASIDE = `create temporary table tillkit_counts (
    place bigint generated always as identity,
    app_id text collate "C" not null, store text collate "C" not null, day date not null,
    new_downloads bigint not null, update_downloads bigint not null
  ) on commit drop`;
const SORT = `create index on pg_temp.tillkit_counts (app_id, store, day, place desc); analyze pg_temp.tillkit_counts`;

/** Creates the function that writes the counts of a file, all or nothing. */
export function countImport(
  sql: SqlClient,
  { apps, downloads }: Pick<Tables, "apps" | "downloads">,
  names: StoreNameStatements,
): (batches: CountBatches, options?: UpsertOptions) => Promise<Result<UpsertedCounts, CountFailure>> {
  const days = dayStatements({ downloads });
  const put = statement(
    "downloads_put",
    `insert into pg_temp.tillkit_counts (app_id, store, day, new_downloads, update_downloads)
     select * from json_to_recordset($1::text::json)
       as count (app_id text, store text, day date, new_downloads bigint, update_downloads bigint)`,
  );
  // Runs in the transaction of the writes. No store method deletes an app, so an app that exists
  // here still exists when the counts are stored.
  const unknown = statement(
    "downloads_unknown_apps",
    `select distinct app_id from pg_temp.tillkit_counts named
     where not exists (select from ${apps} held where held.app_id = named.app_id)
     order by app_id limit ${MAX_UNKNOWN_APPS_LISTED}`,
  );
  const rename = statement(
    "downloads_put_rename",
    "update pg_temp.tillkit_counts set store = $2 where store = $1",
  );
  // Returns the next counts after a key. If the file has two counts for a day, the later one wins.
  const portion = statement(
    "downloads_portion",
    `select distinct on (app_id, store, day) app_id, store, day::text as day, new_downloads, update_downloads
     from pg_temp.tillkit_counts where (app_id, store, day) > ($1, $2, $3::text::date)
     order by app_id, store, day, place desc limit ${PORTION.rows}`,
  );

  /**
   * Writes counts that differ from the stored ones. Returns the number of written and of new days.
   */
  async function write(
    queries: SqlQueries,
    appId: string,
    counts: readonly DailyCount[],
    onChange: UpsertOptions["onChange"],
  ) {
    const keys = counts.map(({ store, date }) => ({ store, day: date }));
    const stored = new Map<string, DayCounts>();
    for (const row of await queries.query(days.hold, [appId, JSON.stringify(keys)]))
      stored.set(keyOf(text(row, "store"), text(row, "day")), dayCounts(row));
    const changes = counts
      .map((count) => ({ count, before: stored.get(keyOf(count.store, count.date)) }))
      .filter(({ count, before }) => before === undefined || !areEqualCounts(count, before));
    if (changes.length > 0) {
      await queries.query(days.write, [appId, toJson(changes.map(({ count }) => count))]);
    }
    for (const { count, before } of changes) onChange?.(before === undefined ? count : { ...count, before });
    return {
      changed: changes.length,
      added: changes.filter(({ before }) => before === undefined).length,
    };
  }

  return (batches, { strict = false, onChange } = {}) =>
    // The batches can be read only once, so a retry is impossible.
    sql.transaction<Result<UpsertedCounts, CountFailure>>(
      async (transaction) => {
        await transaction.script(`${UNHURRIED}; ${ASIDE}`);
        let written = 0;
        const given = new Set<string>();
        for await (const batch of batches) {
          if (batch.some(({ store }) => isReservedStore(store))) return err(reservedStore());
          const problem = firstProblem(batch);
          if (problem !== undefined) return err(problem);
          for (const one of portionsOf(batch)) await transaction.query(put, [toJson(one)]);
          written += batch.length;
          for (const { store } of batch) given.add(store);
          // The names are held in memory, so their number is limited.
          if (given.size > MAX_STORE_NAMES) return err({ name: "store.too-many" });
        }
        const unknownRows = await transaction.query(unknown, []);
        if (unknownRows.length > 0) return err(unknownApp(...unknownRows.map((row) => text(row, "app_id"))));
        await transaction.query(names.lock, []);
        const resolved = resolveStores(await readStoreNames(transaction, names), given, strict);
        if (resolved.isErr()) return err(resolved.error);
        await putStoreNames(transaction, names, resolved.value.added);
        for (const [name, store] of resolved.value.storeOf)
          if (name !== store) await transaction.query(rename, [name, store]);
        await transaction.script(SORT);
        let [changed, added, unchanged] = [0, 0, 0];
        for (let after: readonly SqlValue[] = ["", "", "-infinity"]; ;) {
          const rows = await transaction.query(portion, after);
          const last = rows.at(-1);
          if (last === undefined) return ok({ written, changed, added, unchanged });
          for (const [appId, counts] of byApp(rows))
            for (const part of portionsOf(counts)) {
              const done = await write(transaction, appId, part, onChange);
              changed += done.changed;
              added += done.added;
              unchanged += part.length - done.changed;
            }
          after = [text(last, "app_id"), text(last, "store"), text(last, "day")];
        }
      },
      { once: true },
    );
}

/** Returns the counts of each app. */
function byApp(rows: readonly SqlRow[]): ReadonlyMap<string, readonly DailyCount[]> {
  const apps = new Map<string, DailyCount[]>();
  for (const row of rows) {
    const appId = text(row, "app_id");
    const counts = apps.get(appId) ?? [];
    apps.set(appId, counts);
    counts.push({ appId, store: text(row, "store"), date: text(row, "day"), ...dayCounts(row) });
  }
  return apps;
}

function keyOf(store: string, day: string): string {
  return `${day} ${store}`;
}

/**
 * Splits counts into lists whose JSON has at most `PORTION.bytes`. A larger count has its own list.
 */
function* portionsOf(batch: readonly DailyCount[]): Generator<readonly DailyCount[]> {
  let [portion, bytes] = [new Array<DailyCount>(), 0];
  for (const count of batch) {
    const more = Buffer.byteLength(JSON.stringify(toRecord(count))) + 1;
    if (portion.length > 0 && bytes + more > PORTION.bytes) {
      yield portion;
      [portion, bytes] = [[], 0];
    }
    portion.push(count);
    bytes += more;
  }
  if (portion.length > 0) yield portion;
}

function toJson(counts: readonly DailyCount[]): string {
  return JSON.stringify(counts.map(toRecord));
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
