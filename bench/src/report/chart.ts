import { BarChart, CustomChart } from "echarts/charts";
import { GridComponent } from "echarts/components";
import type { CustomSeriesRenderItem } from "echarts";
import { init, use } from "echarts/core";
import { SVGRenderer } from "echarts/renderers";
import type { Figure } from "../harness/figures.js";
import { significant } from "./print.js";

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

/**
 * Draws the operations per second of a row as SVG, with the middle half of the rounds.
 *
 * Follows the reader's light or dark colour scheme.
 */
export function chartOf(figures: readonly Figure[]): string {
  const height = 60 + figures.length * 44;
  const chart = init(null, null, { renderer: "svg", ssr: true, width: 820, height });
  const [text] = COLOURS.text;
  const [line] = COLOURS.line;
  chart.setOption({
    animation: false,
    textStyle: { fontFamily: "system-ui, sans-serif", color: text },
    grid: { left: 280, right: 90, top: 8, bottom: 32 },
    xAxis: {
      type: "value",
      name: "per second",
      nameLocation: "middle",
      nameGap: 26,
      nameTextStyle: { color: text },
      axisLabel: { color: text, hideOverlap: true },
      splitLine: { lineStyle: { color: line } },
    },
    yAxis: {
      type: "category",
      inverse: true,
      data: figures.map(({ name }) => name),
      // Narrower than its space, because the width of the reader's font is unknown.
      axisLabel: { color: text, width: 210, overflow: "break" },
      axisLine: { lineStyle: { color: line } },
      axisTick: { show: false },
    },
    series: [
      {
        type: "bar",
        barWidth: 20,
        data: figures.map(({ perSecond, role }) => ({
          value: perSecond.median,
          itemStyle: { color: COLOURS[role][0] },
        })),
      },
      {
        type: "custom",
        renderItem: spread(figures),
        data: figures.map(({ perSecond }, index) => [perSecond.high, index]),
      },
    ],
  });
  const svg = chart.renderToSVGString();
  chart.dispose();
  return svg.replace(
    /<svg[^>]*>/,
    (tag) => `${tag}\n<style>@media (prefers-color-scheme:dark){${DARK}}</style>`,
  );
}

/** Draws a line across the middle half of the rounds, and the median as text after it. */
function spread(figures: readonly Figure[]): CustomSeriesRenderItem {
  return (_parameters, api) => {
    const index = Number(api.value(1));
    const { low = 0, high = 0, median = 0 } = figures[index]?.perSecond ?? {};
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
          style: { text: significant(median).toLocaleString("en"), fill, verticalAlign: "middle" },
        },
      ],
    };
  };
}
