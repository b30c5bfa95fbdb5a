import { type ReactNode, useEffect, useRef } from "react";
import { useThemeChange } from "../app/theme.js";
import type { ChartSeries } from "./draw-chart.js";

/** Space that a chart needs above the fold, in pixels. */
const HEIGHT = 220;

interface ChartProps {
  /** What the chart shows, for screen readers. The table below has the numbers. */
  readonly label: string;
  /** Seconds since the Unix epoch, oldest first. */
  readonly times: readonly number[];
  readonly series: readonly ChartSeries[];
  readonly timeZone: string;
  /** The same numbers as text. */
  readonly children: ReactNode;
}

/** A line chart with its numbers as text below. The library loads only for views with a chart. */
export function Chart({ label, times, series, timeZone, children }: ChartProps) {
  const place = useRef<HTMLDivElement>(null);
  const theme = useThemeChange();
  useEffect(() => {
    const element = place.current;
    if (element === null) return;
    let remove: (() => void) | undefined;
    let isGone = false;
    void import("./draw-chart.js").then(({ drawChart }) => {
      if (!isGone) remove = drawChart(element, { times, series, timeZone, height: HEIGHT });
    });
    return () => {
      isGone = true;
      remove?.();
    };
  }, [times, series, timeZone, theme]);
  return (
    <figure className="chart">
      <div ref={place} role="img" aria-label={label} />
      <ul className="legend">
        {series.map((one, nth) => (
          <li key={one.label} className={`series-${String(nth + 1)}`}>
            {one.label}
          </li>
        ))}
      </ul>
      <figcaption>{children}</figcaption>
    </figure>
  );
}
