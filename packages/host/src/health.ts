import type { ResultAsync } from "neverthrow";
import type { TaskFailure } from "./background.js";
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
   * `storage.unavailable`, `storage.misconfigured` or `schema.too-new`.
   */
  readonly why?: string;
  readonly background: Readonly<Record<string, TaskHealth>>;
}

/** Checks that the storage can be used. */
export type CheckStorage = () => ResultAsync<unknown, TaskFailure>;

/**
 * Creates a check that concurrent callers share and that takes at most `timeoutMs`.
 *
 * @returns a function that resolves with the name of the failure, or `undefined` on success.
 */
export function sharedCheck(check: CheckStorage, timeoutMs: number): () => Promise<string | undefined> {
  let running: Promise<string | undefined> | undefined;

  async function run(): Promise<string | undefined> {
    try {
      const result = await check();
      return result.isErr() ? result.error.name : undefined;
    } catch {
      return "storage.unavailable";
    }
  }

  return async () => {
    running ??= run().finally(() => {
      running = undefined;
    });
    const found = await valueOrTimeout(running, timeoutMs);
    return found === "timeout" ? "storage.timeout" : found;
  };
}
