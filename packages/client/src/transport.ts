import type { Call, Surface } from "./call.js";
import { errorOf } from "./error-of.js";
import type { TillkitError } from "./errors.js";
import type { CallOptions, RequestInfo, TillkitClientOptions } from "./options.js";
import { retryDelay } from "./retry-delay.js";
import { sendOnce } from "./send-once.js";
import { sleep } from "./sleep.js";

/** Sends a call. Resolves with its data. Rejects with a {@link TillkitError}. */
export type Send = <T>(call: Call<T>, options?: CallOptions) => Promise<T>;

/** Creates the function that sends calls, and repeats those that may succeed later. */
export function createSend(surface: Surface, options: TillkitClientOptions): Send {
  const { retries = 3, hooks = {}, random = Math.random, sleep: pause = sleep } = options;
  const { timeout = 8_000, totalTimeout = Infinity } = options;
  return async (call, { signal } = {}) => {
    const deadline = performance.now() + totalTimeout;
    for (let attempt = 1; ; attempt += 1) {
      const { operation, method, path } = call;
      const info: RequestInfo = { operation, method, path, attempt };
      notify(hooks.onRequest, info);
      const began = performance.now();
      const limits = { ...options, timeout: Math.min(timeout, deadline - began) };
      const sent = await sendOnce(surface, call, limits, signal);
      if (sent.kind === "answered") {
        const { status, traceId, answer } = sent;
        const code = answer.ok ? 0 : answer.code;
        notify(hooks.onResponse, { ...info, status, code, traceId, durationMs: performance.now() - began });
        if (answer.ok) return answer.data;
      }
      const error = errorOf(sent, call, attempt);
      const delayMs = attempt <= retries ? delayBefore(error, attempt, random) : undefined;
      if (delayMs === undefined || performance.now() + delayMs >= deadline) {
        notify(hooks.onError, { ...info, error });
        throw error;
      }
      notify(hooks.onRetry, { ...info, delayMs, error });
      await pause(delayMs, signal);
      if (signal?.aborted === true) {
        const aborted = errorOf({ kind: "aborted" }, call, attempt);
        notify(hooks.onError, { ...info, error: aborted });
        throw aborted;
      }
    }
  };
}

function delayBefore(error: TillkitError, attempt: number, random: () => number): number | undefined {
  return error.isRetryable ? retryDelay(attempt, error.retryAfter, random) : undefined;
}

/** Calls a hook. An error of a hook does not end the call. */
function notify<A>(hook: ((argument: A) => void) | undefined, argument: A): void {
  try {
    hook?.(argument);
  } catch {
    // The caller's logging failed. The call continues.
  }
}
