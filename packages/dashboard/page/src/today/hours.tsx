import { Link } from "@tanstack/react-router";
import { useMemo } from "react";
import type { Schema } from "../api/routes.js";
import { addDays, startOfDay } from "../language/business-day.js";
import { useTexts } from "../language/catalogue.js";
import { formatNumber, formatShare } from "../language/format.js";
import { useLanguage } from "../language/language.js";
import { Chart } from "../ui/chart.js";
import { type Column, DataTable } from "../ui/data-table.js";
import { Time } from "../ui/time.js";
import { createdIn, createdOn, type FigureScope } from "./lists.js";
import { TODAY_TEXTS } from "./messages.js";

type Hour = Schema<"Today">["hours"][number];

interface HoursProps {
  readonly hours: readonly Hour[];
  readonly scope: FigureScope;
}

/** The orders that were created in each hour, and how many of them were paid. */
export function Hours({ hours, scope }: HoursProps) {
  const texts = useTexts(TODAY_TEXTS);
  const language = useLanguage();
  const { day, timeZone } = scope;
  const times = useMemo(() => hours.map(({ start }) => start / 1_000), [hours]);
  const series = useMemo(
    () => [
      { label: texts.created, values: hours.map(({ created }) => created) },
      { label: texts.paid, values: hours.map(({ paid }) => paid) },
    ],
    [hours, texts],
  );
  const until = (startOfDay(addDays(day, 1), timeZone) ?? 0) / 1_000;
  const created = hours.reduce((sum, hour) => sum + hour.created, 0);
  const paid = hours.reduce((sum, hour) => sum + hour.paid, 0);
  const number = (value: number) => formatNumber(value, language);
  const columns: readonly Column<Hour>[] = [
    { id: "hour", header: texts.hour, cell: ({ start }) => <Time at={start} part="hour" /> },
    {
      id: "created",
      header: texts.created,
      isNumber: true,
      cell: (hour) => (
        <Link to="/orders" search={createdIn(scope, hour.start)}>
          {number(hour.created)}
        </Link>
      ),
    },
    { id: "paid", header: texts.paid, isNumber: true, cell: (hour) => number(hour.paid) },
    {
      id: "rate",
      header: texts.rate,
      isNumber: true,
      cell: (hour) => (hour.created === 0 ? "–" : formatShare(hour.paid, hour.created, language)),
    },
  ];
  return (
    <section aria-labelledby="hours">
      <h2 id="hours">{texts.hours}</h2>
      {created === 0 ? (
        <p className="muted">{texts.noOrders}</p>
      ) : (
        <div className="panel">
          <ul className="plain sums">
            <li>
              <Link to="/orders" search={createdOn(scope)}>
                {texts.created} {number(created)}
              </Link>
            </li>
            <li>
              {texts.paid} {number(paid)}
            </li>
            <li>
              {texts.rate} {formatShare(paid, created, language)}
            </li>
          </ul>
          <Chart
            kind="bars"
            label={texts.hoursChart}
            times={times}
            series={series}
            timeZone={timeZone}
            until={until}
          >
            <details>
              <summary>{texts.numbers}</summary>
              <DataTable
                label={texts.hoursChart}
                columns={columns}
                rows={hours}
                empty={null}
                rowId={({ start }) => String(start)}
              />
            </details>
          </Chart>
        </div>
      )}
    </section>
  );
}
