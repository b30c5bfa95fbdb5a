import { type ReactNode, useEffect, useRef, useState } from "react";
import { useThemeChange } from "../app/theme.js";
import { formatNumber, formatTime } from "../language/format.js";
import { type Language, useLanguage } from "../language/language.js";
import type { ChartData } from "./draw-chart.js";

/** The height of a chart in pixels. */
const HEIGHT = 200;

interface ChartProps extends ChartData {
  /** What the chart shows, for screen readers. The table below has the numbers. */
  readonly label: string;
  /** The same numbers as text. */
  readonly children: ReactNode;
}

function pointedText(value: number | null | undefined, language: Language): string {
  return value === null || value === undefined ? "–" : formatNumber(value, language);
}

/**
 * A chart with its numbers as text below. The legend shows the numbers at the pointer.
 *
 * The library loads only for views with a chart.
 */
export function Chart({ label, times, series, timeZone, kind, until, children }: ChartProps) {
  const place = useRef<HTMLDivElement>(null);
  const language = useLanguage();
  const theme = useThemeChange();
  const [pointed, setPointed] = useState<number>();
  useEffect(() => {
    const element = place.current;
    if (element === null) return;
    let remove: (() => void) | undefined;
    let isGone = false;
    void import("./draw-chart.js").then(({ drawChart }) => {
      if (isGone) return;
      const data = { times, series, timeZone, kind, until };
      remove = drawChart(element, { ...data, height: HEIGHT, onPoint: setPointed });
    });
    return () => {
      isGone = true;
      remove?.();
    };
  }, [times, series, timeZone, kind, until, theme]);
  const at = pointed === undefined ? undefined : times[pointed];
  return (
    <figure className="chart">
      <ul className={`legend ${kind}`} aria-hidden="true">
        {series.map((one, nth) => (
          <li key={one.label} className={`series-${String(nth + 1)}`}>
            {one.label}
            {pointed !== undefined && <b> {pointedText(one.values[pointed], language)}</b>}
          </li>
        ))}
        {at !== undefined && (
          <li className="pointed">{formatTime(at * 1_000, timeZone, kind === "bars" ? "hour" : "date")}</li>
        )}
      </ul>
      <div ref={place} className="chart-place" role="img" aria-label={label} />
      <figcaption>{children}</figcaption>
    </figure>
  );
}
