const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/**
 * When an order is read again: periods after its purchase entered a status, in milliseconds.
 *
 * A refund is most likely soon after the purchase. Wallets refund orders for up to a year.
 */
export const DEFAULT_SCHEDULE: readonly number[] = [
  ...[1, 5, 15].map((minutes) => minutes * MINUTE),
  ...[1, 6].map((hours) => hours * HOUR),
  ...[1, 2, 4, 7, 14, 30, 60, 120, 240, 365].map((days) => days * DAY),
];

/** Returns the next time of the schedule after `now`, or `undefined` after its end. */
export function nextCheckAt(
  since: number,
  now: number,
  schedule: readonly number[] = DEFAULT_SCHEDULE,
): number | undefined {
  return schedule.map((age) => since + age).find((at) => at > now);
}

/**
 * Returns the time at which an effect that failed at `now` is repeated.
 *
 * The pause is the time that has passed since `since`, at most 6 hours, but never less than
 * `lease`. So the pause doubles with each failure, from the third failure on.
 */
export function nextTryAt(since: number, now: number, lease: number): number {
  return now + Math.max(lease, Math.min(now - since, 6 * HOUR));
}
