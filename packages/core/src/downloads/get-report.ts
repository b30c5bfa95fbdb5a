import { err, ok, okAsync, type Result, type ResultAsync } from "neverthrow";
import { findApp } from "../apps/find-app.js";
import type { Policy } from "../policy.js";
import type { Ports } from "../ports.js";
import { businessDay } from "../shared/calendar.js";
import { attempt } from "../shared/attempt.js";
import { hasControlCharacter } from "../shared/text.js";
import type { StoreCounts } from "./daily-count.js";
import { type DateRange, daysOf, readDateRange } from "./date-range.js";
import type { Counts, DownloadsFailure, DownloadsReport, ReportContent, StoreReport } from "./report.js";

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
  return attempt(async () => {
    const readResult = readQuery(query, ports.policy);
    if (readResult.isErr()) return readResult;
    const { clientId, range } = readResult.value;
    // No client has such an id, and not every storage can look a text with NUL up.
    if (hasControlCharacter(clientId)) return err({ name: "downloads.id-not-allowed" } as const);
    const found = await clientCalled(ports, clientId);
    if (found.isErr()) return found;
    const client = found.value;
    if (client === undefined) return err({ name: "downloads.id-not-allowed" } as const);
    const appResult = await findApp(ports, client.appId, (known) => known !== undefined).mapErr(
      limitCheckFailed,
    );
    if (appResult.isErr()) return appResult;
    const app = appResult.value;
    if (app === undefined) return err({ name: "downloads.id-not-found" } as const);
    const now = ports.clock.now();
    const { date: day, endsAt, resetAt } = businessDay(ports.policy.timeZone, now);
    const resetsIn = endsAt - now;
    const { dailyLimit } = client;
    const allowance = { scope: "downloads", subject: clientId } as const;
    const unit = { day, limit: dailyLimit, now, spacing: 0 };
    const taken = await ports.quotas.take(allowance, unit).mapErr(limitCheckFailed);
    if (taken.isErr()) return taken;
    const { granted, used } = taken.value;
    const usage = { dailyLimit, usedToday: used, remainingToday: Math.max(0, dailyLimit - used) };
    if (!granted) return err({ name: "downloads.daily-limit-reached", usage, resetAt, resetsIn } as const);
    const counts = await attempt(async () => ports.downloads.read(client.appId, range.start, range.end));
    if (counts.isErr()) {
      // If the unit cannot be given back it stays used; the client is told of the fetch either way.
      const givenBack = attempt(async () => ports.quotas.giveBack(allowance, day));
      await givenBack.unwrapOr(undefined);
      return err({ name: "downloads.fetch-failed", cause: counts.error.cause } as const);
    }
    return ok({ usage, resetAt, resetsIn, ...contentOf(counts.value, range) });
  }).mapErr((failure) => (failure.name === "storage.unavailable" ? limitCheckFailed(failure) : failure));
}

function clientCalled({ downloadsClients }: Pick<Ports, "downloadsClients">, clientId: string) {
  const recalled = downloadsClients.recall(clientId);
  return recalled === undefined
    ? downloadsClients.find(clientId).mapErr(limitCheckFailed)
    : okAsync(recalled);
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

/**
 * The value of a parameter that was given once.
 *
 * Of one that was given more often a text that is no date and no id.
 */
function once(values: readonly string[]): string {
  return values.length === 1 ? (values[0] ?? "") : NEITHER_DATE_NOR_ID;
}

// A control character: no client has an id with one.
const NEITHER_DATE_NOR_ID = "\u0000";

/**
 * What the last report was made of. Those who share a read go on one right after the other, so one place is enough to share this as well; a map by list,
 * even a weak one, would let each year of counts outlive the cheap rounds of the garbage collector.
 */
let latest: { readonly counts: readonly StoreCounts[]; readonly content: ReportContent } | undefined;

function contentOf(counts: readonly StoreCounts[], range: DateRange): ReportContent {
  // A store may have one empty list for all ranges.
  if (latest?.counts === counts && latest.content.start === range.start && latest.content.end === range.end)
    return latest.content;
  const days = daysOf(range);
  const stores = counts.map((held) => storeReport(held, days.length));
  const content = { ...range, days, allStores: totalOf(stores), stores };
  latest = { counts, content };
  return content;
}

function storeReport(held: StoreCounts, length: number): StoreReport {
  const updateDownloads = everyDay(held.days, held.updateDownloads, length);
  const newDownloads = everyDay(held.days, held.newDownloads, length);
  const sums = countsOf(sumOf(updateDownloads), sumOf(newDownloads));
  return { store: held.store, ...sums, daily: { updateDownloads, newDownloads } };
}

/** The counts in the order of the days of the range, with a zero where there is none. */
function everyDay(days: readonly number[], counts: readonly number[], length: number): readonly number[] {
  const all = new Array<number>(length).fill(0);
  days.forEach((day, index) => {
    all[day] = counts[index] ?? 0;
  });
  return all;
}

function totalOf(stores: readonly StoreReport[]): Counts {
  const updates = stores.map(({ updateDownloads }) => updateDownloads);
  return countsOf(sumOf(updates), sumOf(stores.map(({ newDownloads }) => newDownloads)));
}

function countsOf(updateDownloads: number, newDownloads: number): Counts {
  return { updateDownloads, newDownloads, totalDownloads: updateDownloads + newDownloads };
}

function sumOf(counts: readonly number[]): number {
  return counts.reduce((sum, count) => sum + count, 0);
}
