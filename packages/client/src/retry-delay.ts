/** The first pause, and the longest pause. Milliseconds. */
const FIRST = 200;
const LONGEST = 10_000;

/**
 * Returns the pause before the next request, in milliseconds.
 *
 * Returns `undefined` if the service asks for a longer pause than the client waits.
 *
 * The pause doubles with each attempt, up to 10 seconds. It is shortened at random, by up to half,
 * so that many callers do not repeat their requests at the same time. It is at least `retryAfter`.
 */
export function retryDelay(
  attempt: number,
  retryAfter: number | undefined,
  random: () => number,
): number | undefined {
  if (retryAfter !== undefined && retryAfter > LONGEST) return undefined;
  const pause = Math.min(LONGEST, FIRST * 2 ** (attempt - 1));
  return Math.max(retryAfter ?? 0, Math.round(pause * (0.5 + random() / 2)));
}
