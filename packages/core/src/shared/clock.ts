/** The only source of time in core. Tests and the sandbox use a clock that they can move. */
export interface Clock {
  /** The current time, in milliseconds since the Unix epoch. */
  now(): number;
  /**
   * Resolves after about `ms` milliseconds.
   *
   * A test clock may resolve earlier, so callers check `now()` again.
   */
  sleep(ms: number): Promise<void>;
}
