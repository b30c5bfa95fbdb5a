import { useMemo } from "react";
import type { Schema } from "../api/routes.js";
import { useTexts } from "../language/catalogue.js";
import { formatNumber, formatShare } from "../language/format.js";
import { useLanguage } from "../language/language.js";
import { useSession } from "../session/session-context.js";
import { Chart } from "../ui/chart.js";
import { type Column, DataTable } from "../ui/data-table.js";
import { Time } from "../ui/time.js";
import { TODAY_TEXTS } from "./messages.js";

type Hour = Schema<"Today">["hours"][number];

/** Orders created in each hour, and those of them that were paid. */
export function Hours({ hours }: { readonly hours: readonly Hour[] }) {
  const texts = useTexts(TODAY_TEXTS);
  const language = useLanguage();
  const { timeZone } = useSession().policy;
  const times = useMemo(() => hours.map(({ start }) => start / 1_000), [hours]);
  const series = useMemo(
    () => [
      { label: texts.created, values: hours.map(({ created }) => created) },
      { label: texts.paid, values: hours.map(({ paid }) => paid) },
    ],
    [hours, texts],
  );
  const created = hours.reduce((sum, hour) => sum + hour.created, 0);
  const paid = hours.reduce((sum, hour) => sum + hour.paid, 0);
  const number = (value: number) => formatNumber(value, language);
  const columns: readonly Column<Hour>[] = [
    { id: "hour", header: texts.hour, cell: ({ start }) => <Time at={start} part="hour" /> },
    { id: "created", header: texts.created, isNumber: true, cell: ({ created }) => number(created) },
    { id: "paid", header: texts.paid, isNumber: true, cell: ({ paid }) => number(paid) },
    {
      ...{ id: "rate", header: texts.rate, isNumber: true },
      cell: ({ created, paid }) => formatShare(paid, created, language),
    },
  ];
  return (
    <section aria-labelledby="hours">
      <h2 id="hours">{texts.hours}</h2>
      {created > 0 && (
        <p className="muted">
          {texts.rate}: {formatShare(paid, created, language)}
        </p>
      )}
      {hours.length === 0 ? (
        <p className="muted">{texts.noOrders}</p>
      ) : (
        <Chart label={texts.hoursChart} {...{ times, series, timeZone }}>
          <details>
            <summary>{texts.numbers}</summary>
            <DataTable
              {...{ label: texts.hoursChart, columns, rows: hours, empty: null }}
              rowId={({ start }) => String(start)}
            />
          </details>
        </Chart>
      )}
    </section>
  );
}
