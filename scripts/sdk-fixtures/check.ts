/** One comparison between an SDK and Tillkit over one of the SDK's fixtures. */
export interface Check {
  readonly fixture: string;
  /** What was compared, for example `serial number`. */
  readonly compared: string;
  /** What the SDK makes of the fixture, as text. */
  readonly bySdk: string;
  /** What Tillkit makes of it. */
  readonly byTillkit: string;
  /** Why the two differ on purpose; absent if they must agree. */
  readonly reason?: string;
}

/** Whether a check holds: both agree, or they differ for a stated reason. */
export function holds({ bySdk, byTillkit, reason }: Check): boolean {
  return reason === undefined ? bySdk === byTillkit : bySdk !== byTillkit;
}
