/** Returns how long a code is valid in whole minutes, at least 1, for the text of a message. */
export function validityMinutes(ttl: number): string {
  return String(Math.max(1, Math.floor(ttl / 60_000)));
}
