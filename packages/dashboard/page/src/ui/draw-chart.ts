import UPlot from "uplot";
import "uplot/dist/uPlot.min.css";

/** One line of a chart. */
export interface ChartSeries {
  readonly label: string;
  readonly values: readonly number[];
}

interface ChartData {
  readonly times: readonly number[];
  readonly series: readonly ChartSeries[];
  readonly timeZone: string;
  readonly height: number;
}

/** Draws a chart that is as wide as its element. Returns a function that removes it. */
export function drawChart(element: HTMLElement, { times, series, timeZone, height }: ChartData): () => void {
  const style = getComputedStyle(document.documentElement);
  const color = (name: string) => style.getPropertyValue(`--${name}`);
  const axis: UPlot.Axis = {
    stroke: color("muted"),
    grid: { stroke: color("line"), width: 1 },
    ticks: { stroke: color("line"), width: 1 },
  };
  const chart = new UPlot(
    {
      ...{
        width: element.clientWidth,
        height,
        legend: { show: false },
        cursor: { drag: { x: false, y: false } },
      },
      tzDate: (seconds) => UPlot.tzDate(new Date(seconds * 1_000), timeZone),
      axes: [{ ...axis, values: hours(times) ? "{HH}:{mm}" : "{YYYY}-{MM}-{DD}", space: 84 }, axis],
      scales: { y: { range: (_chart, _min, max) => [0, Math.max(max, 4)] } },
      series: [
        {},
        ...series.map(({ label }, nth) => ({
          ...{ label, stroke: color(nth === 0 ? "accent" : "waiting"), width: 2, points: { size: 5 } },
          // The second line differs also without its colour.
          ...(nth === 0 ? {} : { dash: [6, 4] }),
        })),
      ],
    },
    [[...times], ...series.map(({ values }) => [...values])],
    element,
  );
  const observer = new ResizeObserver(() => chart.setSize({ width: element.clientWidth, height }));
  observer.observe(element);
  return () => {
    observer.disconnect();
    chart.destroy();
  };
}

/** Returns whether the times are closer to each other than days. */
function hours([first = 0, second = 0]: readonly number[]): boolean {
  return second - first < 86_400;
}
