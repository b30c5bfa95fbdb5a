import { type Figure, figuresOf, type Spread } from "../harness/figures.js";
import type { Played } from "../harness/row.js";
import type { Target } from "../harness/target.js";
import { targetTexts } from "./target-texts.js";

/** Prints the speeds of a round. */
export function printRound(round: number, rounds: number, speeds: ReadonlyMap<string, number>): void {
  const each = [...speeds].map(([name, speed]) => `${name} ${significant(speed)}`).join("; ");
  console.log(`${round === 0 ? "warm-up" : `${round}/${rounds}`}  ${each}`);
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
      "RSS MB": memoryText(figure),
      "ours / this": spreadText(figure.ratio),
    })),
  );
  for (const text of targetTexts(played, targets)) console.log(text);
}

/** Formats the memory of the first and second half of the rounds, and the highest at any end. */
export function memoryText({ rss }: Pick<Figure, "rss">): string {
  if (rss === undefined) return "";
  const [early, late, most] = [rss.early, rss.late, rss.most].map(Math.round);
  return `${early} → ${late}, ≤ ${most}`;
}

/** Formats the median, and the bounds of the middle half of the rounds. */
export function spreadText({ median, low, high }: Spread): string {
  return `${median.toFixed(2)} (${low.toFixed(2)} – ${high.toFixed(2)})`;
}

/** Rounds to three significant digits, and large numbers to an integer. */
export function significant(value: number): number {
  return value >= 1_000 ? Math.round(value) : Number(value.toPrecision(3));
}
