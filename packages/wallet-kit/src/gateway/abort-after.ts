// Not the global function: with fake timers, a test that advances time would abort every call.
import { clearTimeout, setTimeout } from "node:timers";

/** Maximum delay of a timer in milliseconds. Node fires a timer with a longer delay at once. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;

/** Shared by all signals: `AbortSignal.timeout` creates an error with a stack for each signal. */
const LATE = new DOMException("The deadline has passed.", "TimeoutError");

/**
 * Returns a signal that aborts after `milliseconds`.
 *
 * It aborts as soon as possible if the value is zero or negative, and after 25 days at the latest.
 * The timer does not keep the process alive.
 */
export function abortAfter(milliseconds: number): AbortSignal {
  return startDeadline(milliseconds).signal;
}

/**
 * Runs `work` with a signal like that of {@link abortAfter}, and clears its timer afterwards.
 *
 * Without the timer, the garbage collector frees the signal soon. With the timer, thousands of
 * signals would stay in memory under load until their deadlines.
 */
export async function withDeadline<T>(
  milliseconds: number,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const { signal, timer } = startDeadline(milliseconds);
  try {
    return await work(signal);
  } finally {
    clearTimeout(timer);
  }
}

function startDeadline(milliseconds: number) {
  const deadline = new AbortController();
  const wait = Math.min(Math.max(0, Math.ceil(milliseconds)), LONGEST_TIMER_MS);
  const timer = setTimeout(() => deadline.abort(LATE), wait).unref();
  return { signal: deadline.signal, timer };
}
