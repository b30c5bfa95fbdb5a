import type { ResultAsync } from "neverthrow";
import type { TaskFailure } from "./task.js";

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
