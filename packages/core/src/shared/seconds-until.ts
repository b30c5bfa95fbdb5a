/** Returns the whole seconds from `now` until `at`, at least 1, for a `Retry-After` header. */
export function secondsUntil(at: number, now: number): number {
  return Math.max(1, Math.ceil((at - now) / 1000));
}
