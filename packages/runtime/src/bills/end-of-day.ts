const CHINA = 8 * 3_600_000;
const DAY = 86_400_000;

/** When a day (`YYYY-MM-DD`) is over in China, which has no daylight saving: epoch milliseconds. Before it no wallet has the day's bill. */
export function endOfDay(day: string): number {
  return Date.parse(`${day}T00:00:00Z`) - CHINA + DAY;
}
