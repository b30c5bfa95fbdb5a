import type { Counts, DownloadsReport, ReportContent, StoreReport } from "../../downloads/report.js";

/** The text of what was counted, by the list of stores: that of reports which came of one read is put together once. */
const contentTexts = new WeakMap<ReportContent["stores"], string>();

/**
 * The body of a report, as `JSON.stringify` would write it. A report of a year has thousands of days of one form, so their text is put together
 * right here, without an object for each of them. Source: downloads spec, "Success body".
 */
export function reportText(report: DownloadsReport): string {
  const content = contentTexts.get(report.stores) ?? contentText(report);
  contentTexts.set(report.stores, content);
  return `{"data":{"result":"success","usage":${JSON.stringify(report.usage)},"downloadsData":${content}]}}}`;
}

/** All of it but the closing brackets. */
function contentText({ start, end, days, allStores, stores }: ReportContent): string {
  const openings = days.map((date, day) => `${day === 0 ? "" : "},"}{"date":"${date}","updateDownloads":`);
  const total = `{"start":"${start}","end":"${end}","downloads":[{"store":"All Stores",${countsText(allStores)}}`;
  // Joined, the text is one run of characters and no tree of thousands of pieces, which would have to be walked again for each reply.
  return [total, ...stores.map((store) => entryText(store, openings))].join(",");
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

function countsText({ updateDownloads, newDownloads, totalDownloads }: Counts): string {
  return `"updateDownloads":${updateDownloads},"newDownloads":${newDownloads},"totalDownloads":${totalDownloads}`;
}
