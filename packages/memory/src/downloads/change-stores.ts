import type { DailyCount } from "@tillkit/core";
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
import { auditChange } from "../audit/audit-log.js";
import { type DownloadsState, namesIn } from "./downloads-state.js";
import { frozen } from "../state/frozen.js";
import { compareText, compositeKey } from "../state/memory-state.js";

/** Changes the registry of stores and moves counts, in one synchronous step. */
export function changeStores(
  state: DownloadsState,
  change: StoreChange,
  dryRun: boolean,
  audit: AuditEntry | undefined,
): Result<ChangedStores, StoreChangeFailure> {
  const { downloads, storeNames } = state;
  const plan = plannedStoreChange(namesIn(storeNames), change);
  if (plan.isErr()) return err(plan.error);
  const { store, rows, from } = plan.value;
  if (rows.length === 0) return ok({ store, changed: false, movedDays: 0, daysInBoth: 0 });
  const moving = [...downloads.values()]
    .flatMap((counts) => [...counts.values()])
    .filter((count) => count.store === from)
    .sort((left, right) => compareText(left.appId, right.appId) || compareText(left.date, right.date));
  const there = ({ appId, date }: DailyCount) => downloads.get(appId)?.get(compositeKey(store, date));
  const both = moving.filter((count) => there(count) !== undefined);
  const days = change.kind === "merge" ? change.days : "refuse";
  if (both.length > MAX_DAYS_IN_BOTH || (both.length > 0 && days === "refuse" && !dryRun))
    return err({ name: "store.days-in-both", days: Math.min(both.length, MAX_DAYS_IN_BOTH + 1) });
  const moved = moving.map((count) => movedCount(count, there(count), store, days));
  if (moved.some((count) => !isCount(count.newDownloads) || !isCount(count.updateDownloads)))
    return err(sumTooLarge());
  const outcome = { store, changed: true, movedDays: moving.length - both.length, daysInBoth: both.length };
  if (dryRun) return ok(outcome);
  const before = both.map((count) => [
    count.appId,
    count.date,
    ...numbersOf(count),
    ...numbersOf(there(count)),
  ]);
  auditChange(state, audit, from === undefined ? undefined : { days: before });
  for (const row of rows) storeNames.set(row.name, row.store);
  for (const { appId, date, store: old } of moving) downloads.get(appId)?.delete(compositeKey(old, date));
  for (const count of moved) downloads.get(count.appId)?.set(compositeKey(store, count.date), frozen(count));
  return ok(outcome);
}

function movedCount(
  count: DailyCount,
  there: DailyCount | undefined,
  store: string,
  days: "refuse" | "sum" | "keep",
): DailyCount {
  if (there === undefined) return { ...count, store };
  if (days === "keep") return there;
  return {
    ...there,
    newDownloads: there.newDownloads + count.newDownloads,
    updateDownloads: there.updateDownloads + count.updateDownloads,
  };
}

function numbersOf(count: DailyCount | undefined): readonly number[] {
  return count === undefined ? [] : [count.newDownloads, count.updateDownloads];
}
