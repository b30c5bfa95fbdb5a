import { figuresOf } from "../harness/figures.js";
import type { Counts, Played } from "../harness/row.js";
import type { Target } from "../harness/target.js";
import { targetTexts } from "./target-outcomes.js";
import { memoryText, significant, spreadText } from "./texts.js";

/** Prints the speeds of a round. */
export function printRound(round: number, rounds: number, speeds: ReadonlyMap<string, number>): void {
  const each = [...speeds].map(([name, speed]) => `${name} ${significant(speed)}`).join("; ");
  console.log(`${round === 0 ? "warm-up" : `${round}/${rounds}`}  ${each}`);
}

/** Prints the counted values of a row. */
export function printCounts({ title, lines }: Counts): void {
  console.table(Object.fromEntries(lines.map(({ name, count }) => [name, { [title]: count }])));
}

/** Prints the table of a row and whether its targets are met. */
export function printFigures(played: readonly Played[], targets: readonly Target[]): void {
  console.table(
    figuresOf(played).map((figure) => ({
      contestant: figure.name,
      "per second": significant(figure.perSecond.median),
      spread: `${significant(figure.perSecond.low)} – ${significant(figure.perSecond.high)}`,
      "p50 ms": significant(figure.p50),
      "p99 ms": significant(figure.p99),
      "CPU µs each": figure.cpu === undefined ? "" : significant(figure.cpu),
      ...(figure.databaseCpu === undefined ? {} : { "database µs": significant(figure.databaseCpu) }),
      ...(figure.connections === undefined ? {} : { connections: figure.connections }),
      "RSS MB": memoryText(figure),
      "ours / this": spreadText(figure.ratio),
      "CPU this / ours": figure.cpuRatio === undefined ? "" : spreadText(figure.cpuRatio),
    })),
  );
  for (const text of targetTexts(played, targets)) console.log(text);
}
