import { ALL_STORES } from "../../downloads/all-stores.js";
import type { DownloadCounts, DownloadsReport, ReportContent, StoreReport } from "../../downloads/report.js";
import { type TypedJson, typedJson } from "../replies.js";
import type { DownloadsRecord } from "./response-schemas.js";

/**
 * Caches the text of the latest counts.
 *
 * Concurrent reports that share one read of the counts have the same list of stores, and use the
 * text again.
 */
let latest: Written | undefined;

interface Written {
  readonly stores: ReportContent["stores"];
  readonly entries: readonly string[];
  readonly joined?: string;
}

/** The body of a report, and the part of it that lists the counts, without `usage`. */
interface ReportText extends TypedJson<DownloadsRecord> {
  readonly entries: string;
}

/**
 * Writes the body of a report as `JSON.stringify` would write it.
 *
 * A report of a year has thousands of entries of the same form. This function builds their text
 * without an object per entry, and only once for all reports that share a read.
 */
export function reportJson(report: DownloadsReport): ReportText {
  const { start, end, usage } = report;
  const entries = entriesText(report);
  const downloadsData = `{"start":"${start}","end":"${end}","downloads":[${entries}]}`;
  const { text: usageText } = typedJson<DownloadsRecord["data"]["usage"]>(usage);
  const text = `{"data":{"result":"success","usage":${usageText},"downloadsData":${downloadsData}}}`;
  return { text, entries };
}

function entriesText({ days, allStores, stores }: ReportContent): string {
  if (latest?.stores !== stores) {
    const openings = days.map((date, day) => `${day === 0 ? "" : "},"}{"date":"${date}","updateDownloads":`);
    const total = `{"store":${JSON.stringify(ALL_STORES)},${countsText(allStores)}}`;
    const entries = [total, ...stores.map((store) => entryText(store, openings))];
    latest = { stores, entries };
    return entries.reduce((text, entry) => `${text},${entry}`);
  }
  // V8 keeps concatenated text as a tree of thousands of pieces, and every send walks the tree.
  // Joined text is flat. It takes longer to build, but it halves the cost of every later send.
  const { entries, joined = entries.join(",") } = latest;
  latest = { stores, entries, joined };
  return joined;
}

function entryText(report: StoreReport, openings: readonly string[]): string {
  const { updateDownloads, newDownloads } = report.daily;
  let days = "";
  for (let day = 0; day < openings.length; day += 1) {
    const updates = updateDownloads[day] ?? 0;
    const fresh = newDownloads[day] ?? 0;
    days += `${openings[day] ?? ""}${updates},"newDownloads":${fresh},"totalDownloads":${updates + fresh}`;
  }
  return `{"store":${JSON.stringify(report.store)},${countsText(report)},"downloadsArray":[${days}}]}`;
}

function countsText({ updateDownloads, newDownloads, totalDownloads }: DownloadCounts): string {
  return `"updateDownloads":${updateDownloads},"newDownloads":${newDownloads},"totalDownloads":${totalDownloads}`;
}
