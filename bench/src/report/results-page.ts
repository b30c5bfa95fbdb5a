import { figuresOf } from "../harness/figures.js";
import type { Counts } from "../harness/row.js";
import { noiseLines, noiseOf, noiseText } from "./noise.js";
import type { ProfileSections } from "./profile-sections.js";
import type { RowResult } from "./result.js";
import { targetOutcomes, targetTexts } from "./target-outcomes.js";
import { memoryText, shown, spreadText } from "./texts.js";

const PROFILE = "../docs/internals/performance.md";

/**
 * Creates the page of all results, as Markdown.
 *
 * @param sections - the sections that explain why rows miss their targets.
 */
export function resultsPage(results: readonly RowResult[], sections: ProfileSections): string {
  return [
    "# Results",
    "`npm run bench -- --write` generates this page. The [README](README.md) explains the figures. Each row was measured in one run, with the contestants in turns. Absolute figures apply to the machine that is named below each row.",
    ...noiseSection(results),
    "## Targets",
    "A spread is the middle half of the rounds. A target about processor time also shows the result by speed.",
    targetsTable(results, sections),
    ...results.flatMap((row) => sectionOf(row, sections)),
    "",
  ].join("\n\n");
}

/** States the noise of each run, so that readers can judge the differences between contestants. */
function noiseSection(results: readonly RowResult[]): readonly string[] {
  const lines = noiseLines(results);
  if (lines.length === 0) return [];
  return [
    "## Noise of the machine",
    "Before each round, the benchmark makes 200 RSA-2048 signatures in one process. This work is fixed: on a machine without noise, all samples would take the same time. The table shows the median per signature with the middle half of the samples, this range in percent of the median, and the fastest and the slowest sample. Ignore differences between contestants that are smaller than this range or than the spread of their row.",
    table(["run (UTC)", "rows", "machine", "Node", "load average", "samples", "one signature"], lines),
  ];
}

function targetsTable(results: readonly RowResult[], sections: ProfileSections): string {
  const lines = results.flatMap(({ name, played, targets }) =>
    targetOutcomes(played, targets).map(({ asks, value, spread = "", bySpeed = "", met }) => [
      `[${name}](#${name})`,
      asks,
      met ? "met" : missed(name, sections),
      value,
      spread,
      bySpeed,
    ]),
  );
  return table(["row", "target", "outcome", "result", "spread", "by speed"], lines);
}

function missed(name: string, sections: ProfileSections): string {
  const anchor = sections.get(name);
  return anchor === undefined ? "**MISSED**" : `**MISSED**: [why](${PROFILE}#${anchor})`;
}

function sectionOf(
  { name, work, targets, counts, played, noise, ...how }: RowResult,
  sections: ProfileSections,
): readonly string[] {
  const figures = figuresOf(played);
  const ofDatabase = figures.some(({ databaseCpu }) => databaseCpu !== undefined);
  const lines = figures.map((figure) => [
    figure.name,
    shown(figure.perSecond.median),
    `${shown(figure.perSecond.low)} – ${shown(figure.perSecond.high)}`,
    shown(figure.p50),
    shown(figure.p99),
    figure.cpu === undefined ? "" : shown(figure.cpu),
    ...(ofDatabase
      ? [figure.databaseCpu, figure.connections].map((value) => (value === undefined ? "" : shown(value)))
      : []),
    memoryText(figure),
    spreadText(figure.ratio),
    figure.cpuRatio === undefined ? "" : spreadText(figure.cpuRatio),
  ]);
  const speeds = figures.map((figure) => `${figure.name} ${shown(figure.perSecond.median)}`).join("; ");
  const anchor = sections.get(name);
  const isMissed = targetOutcomes(played, targets).some(({ met }) => !met);
  const head = [
    "",
    "per second",
    "spread",
    "p50 ms",
    "p99 ms",
    "CPU µs each",
    ...(ofDatabase ? ["database µs", "connections"] : []),
    "RSS MB",
    "ours / this",
    "CPU this / ours",
  ];
  return [
    `## ${name}`,
    `${work.slice(0, 1).toUpperCase()}${work.slice(1)}.`,
    table(head, lines),
    ...(counts === undefined ? [] : [countsTable(counts)]),
    ...targetTexts(played, targets),
    ...(isMissed && anchor !== undefined ? [`Why it misses: [the profile](${PROFILE}#${anchor}).`] : []),
    `![${name}, operations per second: ${speeds}](results/${name}.svg)`,
    ...(noise === undefined
      ? []
      : [`${played[0]?.rounds.length ?? 0} rounds. One signature took ${noiseText(noiseOf([noise]))}.`]),
    `${how.date}; ${how.machine}; ${how.versions}; \`${how.command}\``,
  ];
}

function countsTable({ title, lines }: Counts): string {
  return table(
    ["", title],
    lines.map(({ name, count }) => [name, count.toLocaleString("en")]),
  );
}

/** A table whose first column is aligned to the left, and numbers to the right. */
function table(head: readonly string[], lines: readonly (readonly string[])[]): string {
  const aligned = head.map((_, column) => {
    const isText = lines.every((line) => !/^[-\d]/u.test(line[column] ?? ""));
    return column === 0 || isText ? "---" : "--:";
  });
  return [head, aligned, ...lines].map((cells) => `| ${cells.join(" | ")} |`).join("\n");
}
