import {
  ALL_STORES,
  type DownloadCounts,
  type DownloadsReport,
  type ReportContent,
  type StoreReport,
} from "../../downloads/report.js";
import { type TypedJson, typedJson } from "../replies.js";
import type { DownloadsRecord } from "./response-schemas.js";

/**
 * Caches the latest text. Reports from the same read share the list of stores and arrive together.
 */
let latest: Written | undefined;

interface Written {
  readonly stores: ReportContent["stores"];
  readonly entries: readonly string[];
  readonly joined?: string;
}

/** The body of a report, and the part of it that depends on the counts alone. */
interface ReportText extends TypedJson<DownloadsRecord> {
  readonly entries: string;
}

/**
 * Writes the body of a report as `JSON.stringify` would write it.
 *
 * A report of a year has thousands of equal entries. Their text is built without an object per
 * entry, and once for all reports of the same read.
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
  // The concatenated text is a tree of thousands of pieces, which every send walks. The joined text
  // is flat: slower to build, and half the cost of every later send.
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
