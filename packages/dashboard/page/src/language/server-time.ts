/** How far the clock of the server is ahead of the browser's clock, in milliseconds. */
let ahead = 0;
let learned: number | undefined;

/**
 * Compares the server's clock with the browser's clock, from an answer that has just arrived.
 *
 * @param now - the server's time, epoch milliseconds. The same value as before changes nothing.
 */
export function learnServerTime(now: number): void {
  if (now === learned) return;
  learned = now;
  ahead = now - Date.now();
}

/** Returns the time of the server, because the clock of a browser may be wrong. */
export function serverTime(): number {
  return Date.now() + ahead;
}
