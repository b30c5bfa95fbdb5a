import type { Figure } from "../harness/figures.js";
import type { Target } from "../harness/target.js";
import { targetTexts } from "./target-texts.js";

/** Prints a line a round. */
export function printRound(rounds: number): (round: number, speeds: ReadonlyMap<string, number>) => void {
  return (round, speeds) => {
    const each = [...speeds].map(([name, speed]) => `${name} ${significant(speed)}`).join("; ");
    console.log(`${round === 0 ? "warm-up" : `${round}/${rounds}`}  ${each}`);
  };
}

/** Prints the table of a row and whether its targets are met. */
export function printFigures(figures: readonly Figure[], targets: readonly Target[]): void {
  console.table(
    figures.map((figure) => ({
      contestant: figure.name,
      "per second": significant(figure.perSecond),
      spread: `${significant(figure.slowest)} – ${significant(figure.fastest)}`,
      "p50 ms": significant(figure.p50),
      "p99 ms": significant(figure.p99),
      "CPU µs each": figure.cpu === undefined ? "" : significant(figure.cpu),
      "RSS MB": memoryText(figure),
      "ours / this": figure.ratio.toFixed(2),
    })),
  );
  for (const text of targetTexts(figures, targets)) console.log(text);
}

/** Memory at the end of the first and the last round, and the most of any. */
export function memoryText({ rss }: Pick<Figure, "rss">): string {
  if (rss === undefined) return "";
  const [first, last, max] = [rss.first, rss.last, rss.max].map(Math.round);
  return `${first} → ${last}, ≤ ${max}`;
}

/** Three digits that count, and no more than there are for large numbers. */
export function significant(value: number): number {
  return value >= 1_000 ? Math.round(value) : Number(value.toPrecision(3));
}
