/** Returns `now` plus twice the pause from `now` to `next`. Times are epoch milliseconds. */
export function doublePauseAfterRateLimit(next: number, now: number): number {
  return next + (next - now);
}
