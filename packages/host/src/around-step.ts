/** One step of a background task that is about to run. */
export interface StepRun {
  /** The name of the task, such as `reconcile`. */
  readonly task: string;
  /** A new id, like the trace id of a request. */
  readonly traceId: string;
}

/**
 * A function that wraps a step of a background task, for example to add the trace id to log lines.
 *
 * The function must call `step` once and return the promise of `step`. If it opens a trace for the
 * step, it passes the id of this trace to `step`. Without this argument, the step uses
 * `run.traceId`. The event `task.ran` contains the id that the step used.
 */
export type AroundStep = <T>(run: StepRun, step: (traceId?: string) => Promise<T>) => Promise<T>;

/** Runs a step and adds nothing. */
export const plainStep: AroundStep = (_run, step) => step();
