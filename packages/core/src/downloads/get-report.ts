import { err, ok, type Result, type ResultAsync } from "neverthrow";
import { findApp } from "../apps/find-app.js";
import type { Policy } from "../policy.js";
import type { Ports } from "../ports.js";
import { businessDay } from "../shared/calendar.js";
import { steps } from "../shared/steps.js";
import { hasControlCharacter } from "../shared/text.js";
import type { DailyCount } from "./daily-count.js";
import { type DateRange, daysOf, readDateRange } from "./date-range.js";
import type { Counts, DownloadsFailure, DownloadsReport, StoreReport } from "./report.js";

/** The query as it came: every value a parameter was given, in order. */
export interface ReportQuery {
  readonly id: readonly string[];
  readonly start: readonly string[];
  readonly end: readonly string[];
}

/** The ports a report touches. */
export type ReportPorts = Pick<
  Ports,
  "downloadsClients" | "apps" | "quotas" | "downloads" | "clock" | "policy"
>;

/**
 * The client's download counts for a date range. Counts one unit of the client's daily allowance when everything else is right, never more than `dailyLimit` whatever
 * the concurrency; a failed fetch gives the unit back, and when the counter fails nothing is fetched.
 * Source: downloads spec; BEHAVIOUR, "Downloads", order of checks.
 */
export function getReport(
  ports: ReportPorts,
  query: ReportQuery,
): ResultAsync<DownloadsReport, DownloadsFailure> {
  return steps(async function* () {
    const { clientId, range } = yield* readQuery(query, ports.policy);
    // No client has such an id, and not every storage can look a text with NUL up.
    if (hasControlCharacter(clientId)) return err({ name: "downloads.id-not-allowed" } as const);
    const client =
      ports.downloadsClients.recall(clientId) ??
      (yield* ports.downloadsClients.find(clientId).mapErr(limitCheckFailed));
    if (client === undefined) return err({ name: "downloads.id-not-allowed" } as const);
    const app = yield* findApp(ports, client.appId, (known) => known !== undefined).mapErr(limitCheckFailed);
    if (app === undefined) return err({ name: "downloads.id-not-found" } as const);
    const now = ports.clock.now();
    const { date: day, endsAt, resetAt } = businessDay(ports.policy.timeZone, now);
    const resetsIn = endsAt - now;
    const { dailyLimit } = client;
    const allowance = { scope: "downloads", subject: clientId } as const;
    const unit = { day, limit: dailyLimit, now, spacing: 0 };
    const { granted, used } = yield* ports.quotas.take(allowance, unit).mapErr(limitCheckFailed);
    const usage = { dailyLimit, usedToday: used, remainingToday: Math.max(0, dailyLimit - used) };
    if (!granted) return err({ name: "downloads.daily-limit-reached", usage, resetAt, resetsIn } as const);
    const rows = await steps(async function* () {
      return ok(yield* ports.downloads.read(client.appId, range.start, range.end));
    });
    if (rows.isErr()) {
      // If the unit cannot be given back it stays used; the client is told of the fetch either way.
      const givenBack = steps(async function* () {
        return ok(yield* ports.quotas.giveBack(allowance, day));
      });
      await givenBack.unwrapOr(undefined);
      return err({ name: "downloads.fetch-failed", cause: rows.error.cause } as const);
    }
    return ok({ usage, resetAt, resetsIn, ...range, downloads: reportOf(rows.value, daysOf(range)) });
  }).mapErr((failure) => (failure.name === "storage.unavailable" ? limitCheckFailed(failure) : failure));
}

function limitCheckFailed({ cause }: { readonly cause?: unknown }) {
  return { name: "downloads.limit-check-failed", cause } as const;
}

/** The parameters, checked in the documented order. A parameter given twice is no date, and no id. */
function readQuery(
  query: ReportQuery,
  policy: Policy,
): Result<{ readonly clientId: string; readonly range: DateRange }, DownloadsFailure> {
  for (const parameter of ["id", "start", "end"] as const) {
    if ((query[parameter][0] ?? "") === "") return err({ name: "downloads.parameter-missing", parameter });
  }
  return readDateRange(once(query.start), once(query.end), policy.maxReportDays).map((range) => ({
    clientId: once(query.id),
    range,
  }));
}

// Joined by a character that neither a date nor an id has.
function once(values: readonly string[]): string {
  return values.join(",");
}

/** The entries of a report: `rows` come by store and date, and every store gets every day. */
function reportOf(rows: readonly DailyCount[], days: readonly string[]): readonly StoreReport[] {
  const byStore = new Map<string, Map<string, DailyCount>>();
  for (const row of rows) {
    const store = byStore.get(row.store) ?? new Map<string, DailyCount>();
    byStore.set(row.store, store.set(row.date, row));
  }
  const stores = [...byStore].map(([store, counts]) => {
    const downloadsArray = days.map((date) => ({ date, ...countsOf(counts.get(date)) }));
    return { store, ...sumOf(downloadsArray), downloadsArray };
  });
  return [{ store: "All Stores", ...sumOf(stores) }, ...stores];
}

function countsOf(row: DailyCount | undefined): Counts {
  const { updateDownloads, newDownloads } = row ?? { updateDownloads: 0, newDownloads: 0 };
  return { updateDownloads, newDownloads, totalDownloads: updateDownloads + newDownloads };
}

function sumOf(counts: readonly Counts[]): Counts {
  let updateDownloads = 0;
  let newDownloads = 0;
  for (const count of counts) {
    updateDownloads += count.updateDownloads;
    newDownloads += count.newDownloads;
  }
  return { updateDownloads, newDownloads, totalDownloads: updateDownloads + newDownloads };
}
