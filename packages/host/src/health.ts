import type { ResultAsync } from "neverthrow";
import type { TaskFailure } from "./task.js";
import { valueOrTimeout } from "./value-or-timeout.js";

/** How a background task of this process is doing. */
export interface TaskHealth {
  /** When the last successful step ended, epoch milliseconds. Absent before the first. */
  readonly succeededAt?: number;
  /** The name of the failure of the last step. Absent if the last step succeeded. */
  readonly failure?: string;
}

/** Whether this process should receive requests, and how its background tasks are doing. */
export interface Health {
  readonly ready: boolean;
  /**
   * Why the process is not ready. Absent if it is ready.
   *
   * `stopping`, `storage.timeout`, or the name of the failure of the storage check, such as
   * `storage.read-only`, `storage.disk-full`, `storage.unavailable` or `schema.too-new`.
   */
  readonly why?: string;
  readonly background: Readonly<Record<string, TaskHealth>>;
}

/** Why a check of the storage failed. */
export interface CheckFailure extends TaskFailure {
  /** What to do, in one line, without secrets. */
  readonly remedy?: string;
}

/** Checks that the storage can be used. */
export type CheckStorage = () => ResultAsync<unknown, CheckFailure>;

/** How long the result of a check is reused, in milliseconds. */
const FRESH_MS = 1_000;

/**
 * Creates a check that takes at most `timeoutMs`, and whose result is reused for a second.
 *
 * Concurrent callers share one check. A check that is too late goes on, and no other one starts
 * beside it.
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
