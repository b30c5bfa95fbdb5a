import {
  type AuditEntry,
  type ChangedDays,
  type DayCounts,
  type DaysFailure,
  firstProblem,
  type StoreDays,
  storeFinder,
  unknownApp,
  unknownStores,
} from "@tillkit/core/ports";
import { err, ok, type Result } from "neverthrow";
import { auditAppender, type Audited, transactionWithAudit } from "../audit/append-audit.js";
import { areEqualCounts, dayCounts, dayStatements } from "./day-statements.js";
import { text } from "../sql/row.js";
import type { SqlStatement } from "../sql/sql-client.js";
import type { StoreClient } from "../cluster/store-client.js";
import { statement } from "../sql/statement.js";
import { readStoreNames, type StoreNameStatements } from "./store-name-statements.js";
import type { Tables } from "../sql/tables.js";

const DAY = 86_400_000;
type Outcome = Result<ChangedDays, DaysFailure>;

/** Creates the function that sets or deletes the counts of a range of days. */
export function dayChanges(
  sql: StoreClient,
  tables: Pick<Tables, "downloads" | "audit_log" | "begun_changes">,
  names: StoreNameStatements,
  knownApp: SqlStatement,
): (days: StoreDays, next: DayCounts | "delete", dryRun: boolean, audit?: AuditEntry) => Promise<Outcome> {
  const { downloads } = tables;
  const appender = auditAppender(sql, tables);
  const { write } = dayStatements(tables);
  const range = `app_id = $1 and store = $2 and day between $3::text::date and $4::text::date`;
  const find = statement(
    "downloads_days",
    `select day::text as day, new_downloads, update_downloads from ${downloads} where ${range} order by ${downloads}.day`,
  );
  const remove = statement("downloads_remove_days", `delete from ${downloads} where ${range}`);
  return ({ appId, store: name, from, until }, next, dryRun, audit) =>
    transactionWithAudit(sql, appender, audit, async (transaction): Promise<Audited<Outcome>> => {
      const refused = (failure: DaysFailure) => ({ changed: false, value: err(failure) });
      await transaction.query(names.lock, []);
      if ((await transaction.query(knownApp, [appId])).length === 0) return refused(unknownApp(appId));
      const registry = await readStoreNames(transaction, names);
      const store = storeFinder(registry)(name);
      if (store === undefined) return refused(unknownStores(registry, [name]));
      if (!dryRun) await transaction.query(names.block, [store, store]);
      const key = [appId, store, from, until] as const;
      const before = (await transaction.query(find, key)).map((row) => ({
        date: text(row, "day"),
        ...dayCounts(row),
      }));
      const wanted =
        next === "delete" ? [] : daysIn(from, until).map((date) => ({ appId, store, date, ...next }));
      const problem = firstProblem(wanted);
      if (problem !== undefined) return refused(problem);
      const stored = new Map(before.map((day) => [day.date, day]));
      const differing = wanted.filter((day) => {
        const held = stored.get(day.date);
        return held === undefined || !areEqualCounts(held, day);
      });
      const changed = next === "delete" ? before.length : differing.length;
      const value = ok({ store, changed, before });
      if (dryRun || changed === 0) return { changed: false, value };
      if (next === "delete") await transaction.query(remove, key);
      else await transaction.query(write, [appId, JSON.stringify(differing.map(toRecord))]);
      const days = before.map(({ date, newDownloads, updateDownloads }) => [
        date,
        newDownloads,
        updateDownloads,
      ]);
      return { changed: true, before: { days }, value };
    });
}

function daysIn(from: string, until: string): readonly string[] {
  const days: string[] = [];
  for (let at = Date.parse(from); at <= Date.parse(until); at += DAY)
    days.push(new Date(at).toISOString().slice(0, 10));
  return days;
}

function toRecord({
  store,
  date,
  newDownloads,
  updateDownloads,
}: DayCounts & { readonly store: string; readonly date: string }) {
  return { store, day: date, new_downloads: newDownloads, update_downloads: updateDownloads };
}
