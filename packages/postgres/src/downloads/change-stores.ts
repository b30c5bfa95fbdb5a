import {
  type AuditEntry,
  type ChangedStores,
  isCount,
  MAX_DAYS_IN_BOTH,
  plannedStoreChange,
  type StoreChange,
  type StoreChangeFailure,
  sumTooLarge,
} from "@tillkit/core/ports";
import { err, ok, type Result } from "neverthrow";
import { auditAppender, type Audited, transactionWithAudit } from "../audit/append-audit.js";
import { integer, text } from "../sql/row.js";
import type { SqlQueries, SqlStatement } from "../sql/sql-client.js";
import type { StoreClient } from "../cluster/store-client.js";
import { statement } from "../sql/statement.js";
import { putStoreNames, readStoreNames, type StoreNameStatements } from "./store-name-statements.js";
import type { Tables } from "../sql/tables.js";

type Outcome = Result<ChangedStores, StoreChangeFailure>;

/** A day that both stores have: app, day, counts of the moved store, counts of the other store. */
type DayInBoth = readonly [appId: string, day: string, ...counts: readonly number[]];

/** Creates the function that changes the registry of stores and moves counts. */
export function storeChanges(
  sql: StoreClient,
  tables: Pick<Tables, "apps" | "downloads" | "audit_log" | "begun_changes">,
  names: StoreNameStatements,
): (change: StoreChange, dryRun: boolean, audit?: AuditEntry) => Promise<Outcome> {
  const appender = auditAppender(sql, tables);
  const statements = moveStatements(tables);
  return (change, dryRun, audit) =>
    transactionWithAudit(sql, appender, audit, async (transaction): Promise<Audited<Outcome>> => {
      await transaction.query(names.lock, []);
      const plan = plannedStoreChange(await readStoreNames(transaction, names), change);
      if (plan.isErr()) return unchanged(err(plan.error));
      const { store, rows, from } = plan.value;
      if (rows.length === 0) return unchanged(ok({ store, changed: false, movedDays: 0, daysInBoth: 0 }));
      if (from === undefined) {
        if (!dryRun) await putStoreNames(transaction, names, rows);
        return { changed: !dryRun, value: ok({ store, changed: true, movedDays: 0, daysInBoth: 0 }) };
      }
      if (!dryRun) await transaction.query(names.block, [from, store]);
      const { moving, both } = await find(transaction, statements, from, store);
      const days = change.kind === "merge" ? change.days : "refuse";
      const problem = problemOf(both, days, dryRun);
      if (problem !== undefined) return unchanged(err(problem));
      const movedDays = [...moving.values()].reduce((sum, count) => sum + count, 0) - both.length;
      const value = ok({ store, changed: true, movedDays, daysInBoth: both.length });
      if (dryRun) return unchanged(value);
      await putStoreNames(transaction, names, rows);
      for (const appId of moving.keys()) {
        await transaction.query(statements.move, [appId, from, store]);
        if (days === "sum") await transaction.query(statements.add, [appId, from, store]);
        await transaction.query(statements.remove, [appId, from]);
      }
      return { changed: true, before: { days: both }, value };
    });
}

function unchanged(value: Outcome): Audited<Outcome> {
  return { changed: false, value };
}

function problemOf(
  both: readonly DayInBoth[],
  days: "refuse" | "sum" | "keep",
  dryRun: boolean,
): StoreChangeFailure | undefined {
  if (both.length > MAX_DAYS_IN_BOTH || (both.length > 0 && days === "refuse" && !dryRun))
    return { name: "store.days-in-both", days: both.length };
  const isTooLarge = ([, , news = 0, updates = 0, otherNews = 0, otherUpdates = 0]: DayInBoth) =>
    !isCount(news + otherNews) || !isCount(updates + otherUpdates);
  return days === "sum" && both.some(isTooLarge) ? sumTooLarge() : undefined;
}

/** Each statement concerns one app, so that it reads an index and runs on one node of a cluster. */
function moveStatements({ apps, downloads }: Pick<Tables, "apps" | "downloads">) {
  return {
    apps: statement("downloads_apps", `select app_id from ${apps} order by app_id`),
    /** Placeholders: app, store. */
    count: statement(
      "downloads_count_days",
      `select count(*) as days from ${downloads} where app_id = $1 and store = $2`,
    ),
    /** Placeholders: app, store, other store. */
    both: statement(
      "downloads_in_both",
      `select moving.day::text as day, moving.new_downloads, moving.update_downloads,
         held.new_downloads as held_new, held.update_downloads as held_updates
       from ${downloads} moving join ${downloads} held
         on held.app_id = moving.app_id and held.day = moving.day and held.store = $3
       where moving.app_id = $1 and moving.store = $2 order by moving.day limit ${MAX_DAYS_IN_BOTH + 1}`,
    ),
    move: statement(
      "downloads_move",
      `update ${downloads} moving set store = $3 where app_id = $1 and store = $2 and not exists (
         select from ${downloads} held where held.app_id = $1 and held.store = $3 and held.day = moving.day
       )`,
    ),
    add: statement(
      "downloads_move_sum",
      `update ${downloads} held
       set new_downloads = held.new_downloads + moving.new_downloads,
         update_downloads = held.update_downloads + moving.update_downloads
       from ${downloads} moving
       where held.app_id = $1 and held.store = $3
         and moving.app_id = $1 and moving.store = $2 and moving.day = held.day`,
    ),
    remove: statement("downloads_remove_store", `delete from ${downloads} where app_id = $1 and store = $2`),
  } satisfies Record<string, SqlStatement>;
}

/** Returns the number of days to move of each app, and the days that both stores have. */
async function find(
  queries: SqlQueries,
  statements: ReturnType<typeof moveStatements>,
  from: string,
  store: string,
) {
  const moving = new Map<string, number>();
  const both: DayInBoth[] = [];
  for (const app of await queries.query(statements.apps, [])) {
    const appId = text(app, "app_id");
    const [counted] = await queries.query(statements.count, [appId, from]);
    const days = counted === undefined ? 0 : integer(counted, "days");
    if (days === 0) continue;
    moving.set(appId, days);
    if (both.length > MAX_DAYS_IN_BOTH) break;
    for (const row of await queries.query(statements.both, [appId, from, store]))
      both.push([
        appId,
        text(row, "day"),
        integer(row, "new_downloads"),
        integer(row, "update_downloads"),
        integer(row, "held_new"),
        integer(row, "held_updates"),
      ]);
  }
  return { moving, both: both.slice(0, MAX_DAYS_IN_BOTH + 1) };
}
