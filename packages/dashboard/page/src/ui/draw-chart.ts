import UPlot from "uplot";
import "uplot/dist/uPlot.min.css";

/** The values of one thing over time. */
export interface ChartSeries {
  readonly label: string;
  /** `null` is a gap: there is no data. */
  readonly values: readonly (number | null)[];
}

/** What a chart shows. */
export interface ChartData {
  /** Seconds since the Unix epoch, oldest first. */
  readonly times: readonly number[];
  /** A second series of bars is a part of the first series, and is drawn in front of it. */
  readonly series: readonly ChartSeries[];
  readonly timeZone: string;
  /** Bars for counts of a time, lines for a trend. */
  readonly kind: "bars" | "lines";
  /** The end of the time axis in seconds, if it is later than the last bar. */
  readonly until?: number | undefined;
}

interface DrawnChart extends ChartData {
  readonly height: number;
  /** Gets the position of the time below the pointer. */
  readonly onPoint: (nth: number | undefined) => void;
}

/** Draws a chart that is as wide as its element. Returns a function that removes it. */
export function drawChart(element: HTMLElement, chart: DrawnChart): () => void {
  const { times, series, timeZone, kind, until, height, onPoint } = chart;
  const style = getComputedStyle(document.documentElement);
  const color = (name: string) => style.getPropertyValue(`--${name}`);
  const [first = 0, second = first] = times;
  const step = second === first ? 3_600 : second - first;
  const end = Math.max((times.at(-1) ?? 0) + step, until ?? 0);
  const axis: UPlot.Axis = {
    stroke: color("muted"),
    font: `12px ${style.getPropertyValue("--sans")}`,
    grid: { show: false },
    ticks: { show: false },
  };
  const drawn = new UPlot(
    {
      width: element.clientWidth,
      height,
      // Space for the whole last point of a line.
      padding: [8, kind === "lines" ? 4 : 0, 0, 0],
      legend: { show: false },
      cursor: { drag: { x: false, y: false }, y: false, points: { show: kind === "lines" } },
      tzDate: (seconds) => UPlot.tzDate(new Date(seconds * 1_000), timeZone),
      axes: [
        { ...axis, gap: 10, values: step < 86_400 ? "{HH}:{mm}" : "{YYYY}-{MM}-{DD}", space: 84 },
        { ...axis, size: 44, incrs: INTEGERS, grid: { stroke: color("line"), width: 1 } },
      ],
      scales: {
        y: { range: (_chart, _min, max) => [0, Math.max(max, 4)] },
        // A bar is centred on its time, so half of the first and of the last bar needs space.
        ...(kind === "bars" && { x: { range: () => [first - step / 2, end - step / 2] } }),
      },
      series: [
        {},
        ...series.map(({ label }, nth) =>
          kind === "bars"
            ? barsOf(label, color(nth === 0 ? "bar" : "bar-strong"))
            : lineOf(label, color(LINE_COLORS[nth] ?? "muted"), DASHES[nth] ?? []),
        ),
      ],
      hooks: { setCursor: [({ cursor: { idx } }) => onPoint(idx ?? undefined)] },
    },
    [[...times], ...series.map(({ values }) => [...values])],
    element,
  );
  const observer = new ResizeObserver(() => drawn.setSize({ width: element.clientWidth, height }));
  observer.observe(element);
  return () => {
    observer.disconnect();
    drawn.destroy();
  };
}

/** The possible distances between the grid lines of a chart of counts. */
const INTEGERS = [1, 2, 5]
  .flatMap((digit) => [0, 1, 2, 3, 4, 5, 6, 7, 8].map((zeros) => digit * 10 ** zeros))
  .sort((left, right) => left - right);

function barsOf(label: string, fill: string): UPlot.Series {
  const paths = UPlot.paths.bars?.({ size: [0.62, 28], radius: 0.12 });
  return { label, fill, stroke: fill, width: 0, points: { show: false }, ...(paths && { paths }) };
}

/** The colours of lines, by the names of tokens. */
const LINE_COLORS = ["accent", "waiting", "good", "bad"];
/** Lines differ also without their colours. */
const DASHES = [[], [6, 4], [2, 3], [12, 3, 2, 3]];

function lineOf(label: string, stroke: string, dash: number[]): UPlot.Series {
  // uPlot also draws points if they fit, so that a single day between two gaps is visible.
  return { label, stroke, width: 2, ...(dash.length > 0 && { dash }) };
}
