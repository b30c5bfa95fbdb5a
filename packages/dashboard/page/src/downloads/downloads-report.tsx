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
import { chosenStores, type PeriodRow, periodRows } from "./daily-counts.js";
import { DOWNLOADS_TEXTS } from "./messages.js";
import { StoreComparison } from "./store-comparison.js";

interface DownloadsReportProps {
  readonly downloads: Schema<"Downloads">;
  readonly store: string | undefined;
}

/** The totals, the charts and the tables of a range. */
export function DownloadsReport({ downloads, store }: DownloadsReportProps) {
  const texts = useTexts(DOWNLOADS_TEXTS);
  const language = useLanguage();
  const { timeZone } = useSession().policy;
  const { before } = downloads;
  const stores = useMemo(() => chosenStores(downloads, store), [downloads, store]);
  const rows = useMemo(() => periodRows(downloads, stores), [downloads, stores]);
  const times = useMemo(
    () => rows.map(({ from }) => (startOfDay(from, timeZone) ?? 0) / 1_000),
    [rows, timeZone],
  );
  const series = useMemo(
    () => [
      { label: texts.new, values: rows.map((row) => row.new) },
      { label: texts.update, values: rows.map(({ update }) => update) },
    ],
    [rows, texts],
  );
  const number = (value: number) => formatNumber(value, language);
  const count = (value: number | null, isIncomplete: boolean) =>
    value === null ? (
      <span className="muted">{texts.noData}</span>
    ) : (
      `${number(value)}${isIncomplete ? " *" : ""}`
    );
  const columns: readonly Column<PeriodRow>[] = [
    {
      id: "day",
      header: texts.period,
      cell: ({ from, until }) => (from === until ? from : texts.before(from, until)),
    },
    {
      id: "new",
      header: texts.new,
      isNumber: true,
      cell: (row) => count(row.new, row.isIncomplete),
    },
    {
      id: "update",
      header: texts.update,
      isNumber: true,
      cell: ({ update, isIncomplete }) => count(update, isIncomplete),
    },
  ];
  const empty = (
    <>
      <p>{texts.none}</p>
      <p className="muted">{texts.noneHelp}</p>
    </>
  );
  if (stores.every((one) => one.periods.every((period) => period === null)))
    return <div className="empty">{empty}</div>;
  const sum = (of: "totals" | "before", kind: "new" | "update") =>
    number(stores.reduce((total, one) => total + one[of][kind], 0));
  return (
    <>
      <dl className="figures">
        {(["new", "update"] as const).map((kind) => (
          <Figure key={kind} name={texts[kind]} value={sum("totals", kind)}>
            {sum("before", kind)} · {texts.before(before.from, before.until)}
          </Figure>
        ))}
      </dl>
      <Chart kind="lines" label={texts.chart} times={times} series={series} timeZone={timeZone}>
        <details>
          <summary>{texts.numbers}</summary>
          {rows.some(({ isIncomplete }) => isIncomplete) && <p className="muted">{texts.incomplete}</p>}
          <DataTable
            label={texts.table}
            columns={columns}
            rows={rows}
            empty={empty}
            rowId={({ from }) => from}
          />
        </details>
      </Chart>
      {store === undefined && stores.length > 1 && (
        <StoreComparison stores={stores} times={times} timeZone={timeZone} />
      )}
    </>
  );
}
