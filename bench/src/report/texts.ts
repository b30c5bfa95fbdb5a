import type { Figure, Spread } from "../harness/figures.js";

/** Formats the memory of both halves of the rounds, and the highest at the end of any round. */
export function memoryText({ rss }: Pick<Figure, "rss">): string {
  if (rss === undefined) return "";
  const [early, late, most] = [rss.early, rss.late, rss.most].map(Math.round);
  return `${early} → ${late}, ≤ ${most}`;
}

/** Formats the median, and the bounds of the middle half of the rounds. */
export function spreadText(spread: Spread): string {
  return `${spread.median.toFixed(2)} (${rangeText(spread)})`;
}

/** Formats the bounds of the middle half of the rounds. */
export function rangeText({ low, high }: Spread): string {
  return `${low.toFixed(2)} – ${high.toFixed(2)}`;
}

/** Rounds to three significant digits, and large numbers to an integer. */
export function significant(value: number): number {
  return value >= 1_000 ? Math.round(value) : Number(value.toPrecision(3));
}

/** Formats a number with separators of thousands. */
export function shown(value: number): string {
  return significant(value).toLocaleString("en", { maximumSignificantDigits: 9 });
}
