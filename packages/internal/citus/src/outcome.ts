/** The outcome of one step. */
export interface Outcome {
  readonly status: "passed" | "failed" | "not run";
  /** What was measured, what is wrong, or why the step was not run. */
  readonly lines: readonly string[];
}

/** Returns the outcome of a step that has these problems: it passed if there are none. */
export function outcomeOf(problems: readonly string[], measured: readonly string[] = []): Outcome {
  return { status: problems.length === 0 ? "passed" : "failed", lines: [...measured, ...problems] };
}
