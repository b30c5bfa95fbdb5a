/**
 * The only source of time in the domain. Hosts give the machine's clock, tests and the sandbox one they can move.
 */
export interface Clock {
  /** Milliseconds since the Unix epoch. */
  now(): number;
  /** Resolves after about `ms` milliseconds. A test clock may resolve sooner; callers look at `now()` again. */
  sleep(ms: number): Promise<void>;
}
