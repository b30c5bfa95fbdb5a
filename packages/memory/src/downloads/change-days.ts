import type { DailyCount } from "@tillkit/core";
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
import { auditChange } from "../audit/audit-log.js";
import { type DownloadsState, namesIn } from "./downloads-state.js";
import { frozen } from "../state/frozen.js";
import { compareText, compositeKey, getOrCreate } from "../state/memory-state.js";

const DAY = 86_400_000;

/** Sets or deletes the counts of a range of days, in one synchronous step. */
export function changeDays(
  state: DownloadsState,
  { appId, store: name, from, until }: StoreDays,
  next: DayCounts | "delete",
  dryRun: boolean,
  audit: AuditEntry | undefined,
): Result<ChangedDays, DaysFailure> {
  if (!state.apps.has(appId)) return err(unknownApp(appId));
  const names = namesIn(state.storeNames);
  const store = storeFinder(names)(name);
  if (store === undefined) return err(unknownStores(names, [name]));
  const counts = getOrCreate(state.downloads, appId, () => new Map<string, DailyCount>());
  const before = [...counts.values()]
    .filter((count) => count.store === store && from <= count.date && count.date <= until)
    .sort((left, right) => compareText(left.date, right.date));
  const wanted =
    next === "delete" ? [] : daysIn(from, until).map((date) => ({ appId, store, date, ...next }));
  const problem = firstProblem(wanted);
  if (problem !== undefined) return err(problem);
  const isHeld = (count: DailyCount) =>
    before.some(
      (one) =>
        one.date === count.date &&
        one.newDownloads === count.newDownloads &&
        one.updateDownloads === count.updateDownloads,
    );
  const changed = next === "delete" ? before.length : wanted.filter((count) => !isHeld(count)).length;
  const outcome = {
    store,
    changed,
    before: before.map(({ date, newDownloads, updateDownloads }) => ({
      date,
      newDownloads,
      updateDownloads,
    })),
  };
  if (dryRun || changed === 0) return ok(outcome);
  const days = before.map(({ date, newDownloads, updateDownloads }) => [date, newDownloads, updateDownloads]);
  auditChange(state, audit, { days });
  for (const { date } of before) counts.delete(compositeKey(store, date));
  for (const count of wanted) counts.set(compositeKey(store, count.date), frozen(count));
  return ok(outcome);
}

function daysIn(from: string, until: string): readonly string[] {
  const days: string[] = [];
  for (let at = Date.parse(from); at <= Date.parse(until); at += DAY)
    days.push(new Date(at).toISOString().slice(0, 10));
  return days;
}
