import type { ResultAsync } from "neverthrow";

/** The failure of a step: its name, for example `storage.unavailable`, and what was thrown. */
export interface TaskFailure {
  readonly name: string;
  readonly cause?: unknown;
}

/** One bounded step of a task. If `more` is true, the next step follows at once. */
export type TaskStep = () => ResultAsync<{ readonly more: boolean }, TaskFailure>;

/** A task of the host's own that runs beside those of Tillkit. */
export interface OwnTask {
  readonly step: TaskStep;
  /** The pause between runs, in milliseconds. */
  readonly everyMs: number;
}
