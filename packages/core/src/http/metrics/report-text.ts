import type { Counts, DownloadsReport, StoreReport } from "../../downloads/report.js";

/**
 * The body of a report, as `JSON.stringify` would write it. A report of a year has thousands of days of one form, so their text is put together
 * right here, without an object for each of them. Source: downloads spec, "Success body".
 */
export function reportText({ usage, start, end, days, allStores, stores }: DownloadsReport): string {
  const openings = days.map((date, day) => `${day === 0 ? "" : "},"}{"date":"${date}","updateDownloads":`);
  const entries = stores.reduce(
    (text, store) => `${text},${entryText(store, openings)}`,
    `{"store":"All Stores",${countsText(allStores)}}`,
  );
  const downloadsData = `{"start":"${start}","end":"${end}","downloads":[${entries}]}`;
  return `{"data":{"result":"success","usage":${JSON.stringify(usage)},"downloadsData":${downloadsData}}}`;
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
