/** The longest a timer can be set to, in milliseconds; Node fires one that is set to more at once. */
const LONGEST_TIMER = 2 ** 31 - 1;

/** A signal that aborts `milliseconds` from now: at once for none or fewer, and after 24 days at the latest. It keeps no process alive. */
export function abortAfter(milliseconds: number): AbortSignal {
  return AbortSignal.timeout(Math.min(Math.max(0, Math.ceil(milliseconds)), LONGEST_TIMER));
}
