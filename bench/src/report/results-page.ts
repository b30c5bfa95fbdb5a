import { figuresOf } from "../harness/figures.js";
import { memoryText, significant, spreadText } from "./print.js";
import type { RowResult } from "./result.js";
import { targetTexts } from "./target-texts.js";

/** Creates the page of all results, as Markdown. */
export function resultsPage(results: readonly RowResult[]): string {
  return [
    "# Results",
    "`npm run bench -- --write` generates this page. The [README](README.md) explains the figures. Each row was measured in one run, with the contestants in turns. Absolute figures apply to the machine that is named below each row.",
    ...results.flatMap(sectionOf),
    "",
  ].join("\n\n");
}

function sectionOf({ name, work, targets, played, ...how }: RowResult): readonly string[] {
  const figures = figuresOf(played);
  const lines = figures.map((figure) =>
    cells([
      figure.name,
      shown(figure.perSecond.median),
      `${shown(figure.perSecond.low)} – ${shown(figure.perSecond.high)}`,
      shown(figure.p50),
      shown(figure.p99),
      figure.cpu === undefined ? "" : shown(figure.cpu),
      memoryText(figure),
      spreadText(figure.ratio),
    ]),
  );
  const speeds = figures.map((figure) => `${figure.name} ${shown(figure.perSecond.median)}`).join("; ");
  const head = ["", "per second", "spread", "p50 ms", "p99 ms", "CPU µs each", "RSS MB", "ours / this"];
  return [
    `## ${name}`,
    `${work.slice(0, 1).toUpperCase()}${work.slice(1)}.`,
    [cells(head), cells(["---", ...head.slice(1).map(() => "--:")]), ...lines].join("\n"),
    ...targetTexts(played, targets),
    `![${name}, works a second: ${speeds}](results/${name}.svg)`,
    `${how.date}; ${how.machine}; ${how.versions}; \`${how.command}\``,
  ];
}

function cells(texts: readonly string[]): string {
  return `| ${texts.join(" | ")} |`;
}

function shown(value: number): string {
  return significant(value).toLocaleString("en", { maximumSignificantDigits: 9 });
}
