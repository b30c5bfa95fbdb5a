// Not the global one: a test that moves time would end every call.
import { setTimeout } from "node:timers";

/** The longest a timer can be set to, in milliseconds; Node fires one that is set to more at once. */
const LONGEST_TIMER = 2 ** 31 - 1;

/** Made once: `AbortSignal.timeout` makes one with its stack for each signal, also when what it was for has long ended. */
const LATE = new DOMException("The deadline has come.", "TimeoutError");

/** A signal that aborts `milliseconds` from now: at once for none or fewer, and after 24 days at the latest. It keeps no process alive. */
export function abortAfter(milliseconds: number): AbortSignal {
  const deadline = new AbortController();
  const wait = Math.min(Math.max(0, Math.ceil(milliseconds)), LONGEST_TIMER);
  setTimeout(() => deadline.abort(LATE), wait).unref();
  return deadline.signal;
}
