/** A violated invariant. */
export interface Violation {
  /** The name of the invariant: the same for every way to violate it. */
  readonly invariant: string;
  readonly detail: string;
}

const violations = new WeakMap<object, Violation>();

/** Throws and ends the run unless `holds` is true. */
export function invariant(name: string, holds: boolean, detail: () => string): void {
  if (holds) return;
  const violation = { invariant: name, detail: detail() };
  const broken = new Error(`${violation.invariant}: ${violation.detail}`);
  violations.set(broken, violation);
  throw broken;
}

/** Returns the violation that ended a run. Any other error violates "nothing throws". */
export function violationOf(thrown: unknown): Violation {
  const known = thrown instanceof Error ? violations.get(thrown) : undefined;
  if (known !== undefined) return known;
  const detail = thrown instanceof Error ? (thrown.stack ?? thrown.message) : String(thrown);
  return { invariant: "nothing throws", detail };
}
