import { err, ok, type ResultAsync } from "neverthrow";
import * as z from "zod";
import { auditEntryIfAny, type OperatorCommand } from "../operators/operator-command.js";
import type { Ports } from "../ports.js";
import { attempt } from "../shared/attempt.js";
import { dayRangeInput } from "../shared/day-range.js";
import { type InputFailure, lazySchema, naturalNumber, parseInput, singleLineText } from "../shared/input.js";
import type { ChangedDays, DayCounts, DaysFailure, StoreDays } from "./downloads-source.js";
import { lastDownloadsDay } from "./record-downloads.js";

/** The largest number of days that one change sets or deletes. */
export const MAX_CHANGED_DAYS = 366;

const daysInput = lazySchema(() =>
  z.intersection(
    z.object({ appId: singleLineText(64), store: singleLineText(2_000) }),
    dayRangeInput(MAX_CHANGED_DAYS),
  ),
);
const countsInput = lazySchema(() =>
  z.object({ newDownloads: naturalNumber(), updateDownloads: naturalNumber() }),
);

/** The ports that {@link changeCounts} uses. */
export type ChangeCountsPorts = Pick<Ports, "downloads" | "clock">;

/**
 * Sets the counts of each day of a range, or deletes them, for one app and store.
 *
 * For counts that are wrong and that no import corrects. Safe to repeat. A `dryRun` only returns
 * what the change would do.
 *
 * @param days - at most {@link MAX_CHANGED_DAYS} days, and a name of the store.
 * @param next - the counts of each day, or `delete`: then the days have no data.
 * @param by - the operator. If set, the audit log gets an entry in the same transaction, with
 *   the previous counts.
 * @returns what changed. Fails with `app.unknown`, `store.unknown`, and with `count.invalid` if a
 *   day to set is in the future.
 * @example
 * ```ts
 * import { changeCounts } from "@tillkit/core/operators";
 *
 * const days = { appId: "app_1", store: "华为", from: "2026-01-01", until: "2026-01-31" };
 * const deleted = await changeCounts(ports, days, "delete");
 * if (deleted.isErr()) console.error(deleted.error.name);
 * ```
 */
export function changeCounts(
  ports: ChangeCountsPorts,
  days: StoreDays,
  next: DayCounts | "delete",
  by?: OperatorCommand,
  { dryRun = false }: { readonly dryRun?: boolean } = {},
): ResultAsync<ChangedDays, InputFailure | DaysFailure> {
  return attempt(async () => {
    const parsed = parseInput(daysInput(), { ...days });
    if (parsed.isErr()) return parsed;
    const { appId, store, from, until } = parsed.value;
    const counts = next === "delete" ? ok(next) : parseInput(countsInput(), { ...next });
    if (counts.isErr()) return err(counts.error);
    if (next !== "delete" && until > lastDownloadsDay(ports.clock.now()))
      return err({ name: "count.invalid", rule: "future" } as const);
    const audit = auditEntryIfAny(ports, by, {
      action: next === "delete" ? "downloads.delete" : "downloads.set",
      subject: `downloads:${appId}`,
      appId,
      detail: JSON.stringify({ store, from, until, ...(counts.value === "delete" ? {} : counts.value) }),
    });
    return ports.downloads.changeDays(parsed.value, counts.value, dryRun, audit);
  });
}
