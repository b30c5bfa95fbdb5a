/** How long a row takes on two idle cores, in seconds. */
export interface UsualSeconds {
  readonly full: number;
  readonly quick: number;
}

/** The times of rows that differ much from {@link MOST_ROWS}, only to estimate when a run ends. */
const USUAL_SECONDS: Readonly<Record<string, UsualSeconds>> = {};

const MOST_ROWS: UsualSeconds = { full: 40, quick: 8 };

/** Returns the usual time of a row. */
export function usualSeconds(row: string): UsualSeconds {
  return USUAL_SECONDS[row] ?? MOST_ROWS;
}
