import type { Scenario } from "./scenario.js";

/** What names the cause of an incident: a line of the host's log, or a command of `tillkit`. */
export type Cause =
  | { readonly log: string; readonly shows: RegExp }
  | {
      /** The command as the guide has it. */
      readonly command: string;
      /** Returns its arguments in the rehearsal. */
      readonly with?: (scenario: Scenario) => readonly string[];
      readonly shows: RegExp;
    };

/** An incident that a rehearsal stages. The guide has a row for each of them. */
export interface Incident {
  /** The name of the incident in the guide. */
  readonly name: string;
  /**
   * The alerts that may fire first. Empty if no alert may fire.
   *
   * All alerts of an incident lead to the same row of the guide.
   */
  readonly alerts: readonly string[];
  /** What names the cause. A log line is found by its message. */
  readonly cause: Cause;
  /** How much faster the times of the alerts pass. Defaults to 30. */
  readonly factor?: number;
  /** Environment variables of the host. */
  readonly host?: Readonly<Record<string, string>>;
  /** What happens before the incident, while no alert may fire. */
  prepare?(scenario: Scenario): Promise<void>;
  /** Begins the incident, and keeps it going until `signal` aborts. */
  stage(scenario: Scenario, signal: AbortSignal): Promise<void>;
}
