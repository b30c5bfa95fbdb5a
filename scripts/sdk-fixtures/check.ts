/** One comparison between an SDK and Tillkit for one of the SDK's fixtures. */
export interface Check {
  readonly fixture: string;
  /** What is compared, for example `serial number`. */
  readonly compared: string;
  /** The result of the SDK, as text. */
  readonly bySdk: string;
  /** The result of Tillkit, as text. */
  readonly byTillkit: string;
  /** Why the two differ on purpose. Absent if they must agree. */
  readonly reason?: string;
}

/** Whether a check holds: both agree, or they differ for a stated reason. */
export function holds({ bySdk, byTillkit, reason }: Check): boolean {
  return reason === undefined ? bySdk === byTillkit : bySdk !== byTillkit;
}
