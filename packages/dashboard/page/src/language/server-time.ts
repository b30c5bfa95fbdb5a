/** How far the clock of the server is ahead of that of the browser, in milliseconds. */
let ahead = 0;
let learned: number | undefined;

/**
 * Remembers the time of the server, from an answer that has just arrived.
 *
 * @param now - epoch milliseconds. A time that is passed again changes nothing.
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
