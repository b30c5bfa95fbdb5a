import { err, ok, okAsync, type Result, type ResultAsync } from "neverthrow";
import { findApp } from "../apps/find-app.js";
import { isStorageFailure, type StorageFailure } from "../errors/failure.js";
import { reportMisconfigured } from "../shared/report-misconfigured.js";
import type { Policy } from "../policy.js";
import type { Ports } from "../ports.js";
import { businessDay } from "../shared/business-day.js";
import { attempt } from "../shared/attempt.js";
import { hasControlCharacter } from "../shared/text.js";
import type { StoreCounts } from "./daily-count.js";
import { type DateRange, readDateRange } from "./date-range.js";
import { reportContent } from "./report-content.js";
import type { DownloadsFailure, DownloadsReport, ReportContent } from "./report.js";

/** The raw query: all values of each parameter, in order. */
export interface DownloadsQuery {
  readonly id: readonly string[];
  readonly start: readonly string[];
  readonly end: readonly string[];
}

/** The ports that {@link getDownloadsReport} uses. */
export type DownloadsReportPorts = Pick<
  Ports,
  "downloadsClients" | "apps" | "quotas" | "downloads" | "clock" | "policy" | "observer"
>;

/**
 * Returns the client's download counts for a date range.
 *
 * Takes one unit of the client's daily allowance after all other checks pass. The allowance counts
 * per {@link businessDay} and resets at its end. Concurrent calls never take more than `dailyLimit`
 * units. If reading the counts fails, the unit is given back. If the counter fails, no counts are
 * read.
 *
 * @returns the counts of all stores and of each store, and the rest of the allowance.
 * @example
 * ```ts
 * import { getDownloadsReport } from "@tillkit/core";
 *
 * const query = { id: ["dlc_1"], start: ["2026-01-01"], end: ["2026-01-31"] };
 * const report = await getDownloadsReport(ports, query);
 * ```
 * @see {@link https://github.com/tillkit/tillkit/blob/main/docs/decisions/downloads.md |
 *   Downloads are checked in a fixed order, and counts have one name per store}
 */
export function getDownloadsReport(
  ports: DownloadsReportPorts,
  query: DownloadsQuery,
): ResultAsync<DownloadsReport, DownloadsFailure> {
  const limitCheckFailed = (failure: StorageFailure) => {
    reportMisconfigured(ports, failure);
    return { name: "downloads.limit-check-failed", cause: failure.cause } as const;
  };
  return attempt(async () => {
    const request = readReportQuery(query, ports.policy);
    if (request.isErr()) return request;
    const { clientId, range } = request.value;
    // No client has such an id, and some storages cannot look up a text with NUL.
    if (hasControlCharacter(clientId)) return err({ name: "downloads.id-not-allowed" } as const);
    const client = await clientCalled(ports, clientId).mapErr(limitCheckFailed);
    if (client.isErr()) return client;
    const now = ports.clock.now();
    if (client.value === undefined || (client.value.endsAt ?? Infinity) <= now)
      return err({ name: "downloads.id-not-allowed" } as const);
    const app = await findApp(ports, client.value.appId, (candidate) => candidate !== undefined).mapErr(
      limitCheckFailed,
    );
    if (app.isErr()) return app;
    if (app.value === undefined) return err({ name: "downloads.id-not-found" } as const);
    const { date: day, endsAt, resetAt } = businessDay(ports.policy.timeZone, now);
    const resetsIn = endsAt - now;
    const { appId, dailyLimit } = client.value;
    const allowance = { scope: "downloads", subject: clientId } as const;
    const unit = { day, limit: dailyLimit, now, spacing: 0 };
    const grant = await ports.quotas.take(allowance, unit).mapErr(limitCheckFailed);
    if (grant.isErr()) return grant;
    const { granted, used } = grant.value;
    const usage = { dailyLimit, usedToday: used, remainingToday: Math.max(0, dailyLimit - used) };
    if (!granted) return err({ name: "downloads.daily-limit-reached", usage, resetAt, resetsIn } as const);
    const counts = await attempt(async () => ports.downloads.read(appId, range.start, range.end));
    if (counts.isErr()) {
      // If the unit cannot be given back, it stays used. The client gets the same failure.
      const givenBack = attempt(async () => ports.quotas.giveBack(allowance, day));
      await givenBack.unwrapOr(undefined);
      reportMisconfigured(ports, counts.error);
      return err({ name: "downloads.fetch-failed", cause: counts.error.cause } as const);
    }
    return ok({ usage, resetAt, resetsIn, ...contentOf(counts.value, range) });
  }).mapErr((failure) => (isStorageFailure(failure) ? limitCheckFailed(failure) : failure));
}

function clientCalled({ downloadsClients }: Pick<Ports, "downloadsClients">, clientId: string) {
  const cached = downloadsClients.getCached(clientId);
  return cached === undefined ? downloadsClients.find(clientId) : okAsync(cached);
}

/** Reads the parameters, and checks them in the documented order. */
function readReportQuery(
  query: DownloadsQuery,
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
 * Returns the value of a parameter that occurs once.
 *
 * A repeated parameter becomes a text that is neither a date nor an id.
 */
function once(values: readonly string[]): string {
  return values.length === 1 ? (values[0] ?? "") : NEITHER_DATE_NOR_ID;
}

// A control character, which no client id contains.
const NEITHER_DATE_NOR_ID = "\u0000";

/**
 * The content of the latest report, for requests that share a read.
 *
 * Such requests continue directly after each other, so one entry is enough. A map with the list as
 * key, even a `WeakMap`, would keep each list in memory until a major garbage collection.
 */
let latest: { readonly counts: readonly StoreCounts[]; readonly content: ReportContent } | undefined;

function contentOf(counts: readonly StoreCounts[], range: DateRange): ReportContent {
  // The storage may return one shared empty list for all ranges, so the ranges are compared too.
  if (latest?.counts === counts && latest.content.start === range.start && latest.content.end === range.end)
    return latest.content;
  const content = reportContent(counts, range);
  latest = { counts, content };
  return content;
}
