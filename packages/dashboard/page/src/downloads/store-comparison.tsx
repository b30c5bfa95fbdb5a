import { useMemo } from "react";
import type { Schema } from "../api/routes.js";
import { useTexts } from "../language/catalogue.js";
import { formatNumber, formatShare } from "../language/format.js";
import { useLanguage } from "../language/language.js";
import { Chart } from "../ui/chart.js";
import { type Column, DataTable } from "../ui/data-table.js";
import { DOWNLOADS_TEXTS } from "./messages.js";

type Store = Schema<"Downloads">["stores"][number];

/** The maximum number of lines. More lines could not be told apart. */
const LINES = 4;

interface StoreComparisonProps {
  readonly stores: readonly Store[];
  /** Seconds since the Unix epoch, one for each period. */
  readonly times: readonly number[];
  readonly timeZone: string;
}

/** The stores of a range beside each other: a chart of the largest ones, and a table of all. */
export function StoreComparison({ stores, times, timeZone }: StoreComparisonProps) {
  const texts = useTexts(DOWNLOADS_TEXTS);
  const language = useLanguage();
  const sorted = useMemo(
    () => stores.toSorted((left, right) => right.totals.new - left.totals.new),
    [stores],
  );
  const series = useMemo(
    () =>
      sorted.slice(0, LINES).map(({ store, periods }) => ({
        label: store,
        values: periods.map((counts) => counts?.new ?? null),
      })),
    [sorted],
  );
  const all = stores.reduce((sum, { totals }) => sum + totals.new, 0);
  const number = (value: number) => formatNumber(value, language);
  const percent = (part: number, whole: number) => (whole === 0 ? "–" : formatShare(part, whole, language));
  const columns: readonly Column<Store>[] = [
    { id: "store", header: texts.store, cell: ({ store }) => store },
    {
      id: "new",
      header: texts.new,
      isNumber: true,
      cell: ({ totals }) => number(totals.new),
    },
    {
      id: "share",
      header: texts.share,
      isNumber: true,
      cell: ({ totals }) => percent(totals.new, all),
    },
    {
      id: "change",
      header: texts.change,
      isNumber: true,
      cell: ({ totals, before }) => percent(totals.new - before.new, before.new),
    },
    {
      id: "update",
      header: texts.update,
      isNumber: true,
      cell: ({ totals }) => number(totals.update),
    },
  ];
  return (
    <section aria-labelledby="stores-title">
      <h2 id="stores-title">{texts.comparison}</h2>
      <Chart kind="lines" label={texts.comparisonChart} times={times} series={series} timeZone={timeZone}>
        <DataTable
          label={texts.comparison}
          columns={columns}
          rows={sorted}
          empty={null}
          rowId={({ store }) => store}
        />
      </Chart>
    </section>
  );
}
