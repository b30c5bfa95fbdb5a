import { valueOrTimeout } from "@tillkit/runtime";
import type { CheckFailure, CheckStorage } from "./health.js";

/** How long the result of a check is reused, in milliseconds. */
const FRESH_MS = 1_000;

/**
 * Returns a readiness check that takes at most `timeoutMs`, and reuses its result for a second.
 *
 * Concurrent callers share one call of `check`. If `check` takes longer, the callers receive
 * `storage.timeout`. The call continues, and `check` is not called again until it has ended.
 *
 * @returns a function that resolves with the failure, or `undefined` on success.
 */
export function sharedCheck(check: CheckStorage, timeoutMs: number): () => Promise<CheckFailure | undefined> {
  let running: Promise<CheckFailure | undefined> | undefined;
  let last: { readonly endedAt: number; readonly failure: CheckFailure | undefined } | undefined;

  async function run(): Promise<CheckFailure | undefined> {
    try {
      const result = await check();
      return result.isErr() ? result.error : undefined;
    } catch (cause) {
      return { name: "storage.unavailable", cause };
    }
  }

  async function runAndKeep(): Promise<CheckFailure | undefined> {
    const failure = await run();
    last = { endedAt: performance.now(), failure };
    running = undefined;
    return failure;
  }

  return async () => {
    if (last !== undefined && performance.now() - last.endedAt < FRESH_MS) return last.failure;
    running ??= runAndKeep();
    const found = await valueOrTimeout(running, timeoutMs);
    return found === "timeout" ? { name: "storage.timeout" } : found;
  };
}
