import { useMemo } from "react";
import type { Schema } from "../api/routes.js";
import { startOfDay } from "../language/business-day.js";
import { useTexts } from "../language/catalogue.js";
import { formatNumber } from "../language/format.js";
import { useLanguage } from "../language/language.js";
import { useSession } from "../session/session-context.js";
import { Chart } from "../ui/chart.js";
import { type Column, DataTable } from "../ui/data-table.js";
import { Figure } from "../ui/figure.js";
import type { DailyCount } from "./daily-counts.js";
import { DOWNLOADS_TEXTS } from "./messages.js";

interface DownloadsReportProps {
  readonly downloads: Schema<"Downloads">;
  readonly counts: readonly DailyCount[];
}

/** The totals, the chart and the table of a period. */
export function DownloadsReport({ downloads, counts }: DownloadsReportProps) {
  const texts = useTexts(DOWNLOADS_TEXTS);
  const language = useLanguage();
  const { timeZone } = useSession().policy;
  const { totals, before } = downloads;
  const times = useMemo(
    () => counts.map(({ day }) => (startOfDay(day, timeZone) ?? 0) / 1_000),
    [counts, timeZone],
  );
  const series = useMemo(
    () => [
      { label: texts.new, values: counts.map((count) => count.new) },
      { label: texts.update, values: counts.map(({ update }) => update) },
    ],
    [counts, texts],
  );
  const number = (value: number) => formatNumber(value, language);
  const columns: readonly Column<DailyCount>[] = [
    { id: "day", header: texts.day, cell: ({ day }) => day },
    { id: "new", header: texts.new, isNumber: true, cell: (count) => number(count.new) },
    { id: "update", header: texts.update, isNumber: true, cell: ({ update }) => number(update) },
  ];
  const empty = (
    <>
      <p>{texts.none}</p>
      <p className="muted">{texts.noneHelp}</p>
    </>
  );
  if (downloads.stores.length === 0) return <div className="empty">{empty}</div>;
  return (
    <>
      <dl className="figures">
        <Figure name={texts.new} value={number(totals.new)}>
          {number(before.new)} · {texts.before(before.from, before.until)}
        </Figure>
        <Figure name={texts.update} value={number(totals.update)}>
          {number(before.update)} · {texts.before(before.from, before.until)}
        </Figure>
      </dl>
      <Chart kind="lines" label={texts.chart} times={times} series={series} timeZone={timeZone}>
        <details>
          <summary>{texts.numbers}</summary>
          <DataTable {...{ label: texts.table, columns, rows: counts, empty }} rowId={({ day }) => day} />
        </details>
      </Chart>
    </>
  );
}
