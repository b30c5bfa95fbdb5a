/** A promise that does not hold. */
export interface Violation {
  /** Which promise: the same for every way to break it. */
  readonly promise: string;
  readonly detail: string;
}

const violations = new WeakMap<object, Violation>();

/** Ends the run unless `holds`. */
export function promise(name: string, holds: boolean, detail: () => string): void {
  if (holds) return;
  const violation = { promise: name, detail: detail() };
  const broken = new Error(`${violation.promise}: ${violation.detail}`);
  violations.set(broken, violation);
  throw broken;
}

/** The violation that ended a run; anything else that was thrown breaks the promise that nothing throws. */
export function violationOf(thrown: unknown): Violation {
  const known = thrown instanceof Error ? violations.get(thrown) : undefined;
  if (known !== undefined) return known;
  const detail = thrown instanceof Error ? (thrown.stack ?? thrown.message) : String(thrown);
  return { promise: "nothing throws", detail };
}
