import { BarChart, CustomChart } from "echarts/charts";
import { GridComponent } from "echarts/components";
import type { CustomSeriesRenderItem } from "echarts";
import { init, use } from "echarts/core";
import { SVGRenderer } from "echarts/renderers";
import type { RowResult } from "./result.js";
import { type Bar, type Panel, panelsOf } from "./panels.js";
import { shown } from "./texts.js";

use([BarChart, CustomChart, GridComponent, SVGRenderer]);

/** The colours of the chart, on a light and on a dark page. */
const COLOURS = {
  text: ["#1f2328", "#f0f6fc"],
  line: ["#d1d9e0", "#3d444d"],
  ours: ["#0969da", "#4493f8"],
  alternative: ["#bf8700", "#d29922"],
  limit: ["#818b98", "#656c76"],
} as const;

const DARK = Object.values(COLOURS)
  .map(([light, dark]) => `[fill="${light}"]{fill:${dark}}[stroke="${light}"]{stroke:${dark}}`)
  .join("");

/** The sizes of the chart in pixels. `value` is the space for the number after a bar. */
const SIZES = { width: 900, names: 240, value: 78, bar: 44 } as const;

/**
 * Draws the figures of a row as SVG, with the middle half of the rounds: a panel for each figure.
 *
 * Follows the reader's light or dark colour scheme.
 */
export function chartOf({ played, targets }: Pick<RowResult, "played" | "targets">): string {
  const panels = panelsOf(played, targets);
  const height = 60 + played.length * SIZES.bar;
  const chart = init(null, null, { renderer: "svg", ssr: true, width: SIZES.width, height });
  const [text] = COLOURS.text;
  const [line] = COLOURS.line;
  const share = (SIZES.width - SIZES.names) / panels.length;
  chart.setOption({
    animation: false,
    textStyle: { fontFamily: "system-ui, sans-serif", color: text },
    grid: panels.map((_, index) => ({
      left: SIZES.names + index * share,
      width: share - SIZES.value,
      top: 8,
      bottom: 44,
    })),
    xAxis: panels.map(({ title }, index) => ({
      gridIndex: index,
      type: "value",
      name: title,
      nameLocation: "middle",
      nameGap: 28,
      nameTextStyle: { color: text },
      splitNumber: 3,
      axisLabel: { color: text, hideOverlap: true },
      splitLine: { lineStyle: { color: line } },
    })),
    yAxis: panels.map(({ bars }, index) => ({
      gridIndex: index,
      type: "category",
      inverse: true,
      data: bars.map(({ name }) => name),
      // Narrower than its space, because the width of the reader's font is unknown.
      axisLabel: { show: index === 0, color: text, width: SIZES.names - 60, overflow: "break" },
      axisLine: { lineStyle: { color: line } },
      axisTick: { show: false },
    })),
    series: panels.flatMap(seriesOf),
  });
  const svg = chart.renderToSVGString();
  chart.dispose();
  return svg.replace(
    /<svg[^>]*>/,
    (tag) => `${tag}\n<style>@media (prefers-color-scheme:dark){${DARK}}</style>`,
  );
}

function seriesOf({ bars }: Panel, index: number) {
  const axes = { xAxisIndex: index, yAxisIndex: index };
  return [
    {
      ...axes,
      type: "bar" as const,
      barWidth: 20,
      data: bars.map(({ seen, role }) => ({
        value: seen?.median ?? 0,
        itemStyle: { color: COLOURS[role][0] },
      })),
    },
    {
      ...axes,
      type: "custom" as const,
      renderItem: spread(bars),
      data: bars.map(({ seen }, bar) => [seen?.high ?? 0, bar]),
    },
  ];
}

/** Draws a line across the middle half of the rounds, and the median as text after it. */
function spread(bars: readonly Bar[]): CustomSeriesRenderItem {
  return (_parameters, api) => {
    const index = Number(api.value(1));
    const seen = bars[index]?.seen;
    const { low, high, median } = seen ?? { low: 0, high: 0, median: 0 };
    const [from = 0, y = 0] = api.coord([low, index]);
    const [to = 0] = api.coord([high, index]);
    const [fill] = COLOURS.text;
    return {
      type: "group",
      children: [
        { type: "line", shape: { x1: from, x2: to, y1: y, y2: y }, style: { stroke: fill, lineWidth: 2 } },
        {
          type: "text",
          x: to + 8,
          y,
          style: { text: seen === undefined ? "unknown" : shown(median), fill, verticalAlign: "middle" },
        },
      ],
    };
  };
}
