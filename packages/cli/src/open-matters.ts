import { readRecordFigures } from "@tillkit/core";
import { okAsync, type ResultAsync } from "neverthrow";
import type { Database } from "./database.js";
import { type Finding, isIncomplete } from "./doctor-finding.js";
import { type CliFailure, coreFailure } from "./failure.js";
import type { Io } from "./io.js";
import { type Matter, mattersOf } from "./matters.js";
import { type KeyedOptions, keysOf, policyOf, portsOf } from "./ports.js";

/** What waits for a person, or why it was not read. */
export interface OpenMatters {
  readonly waiting: readonly Matter[];
  readonly skipped: readonly string[];
}

/**
 * Reads what waits for a person, such as alarms, parked events and days whose bill is missing.
 *
 * Never fails: `skipped` names what could not be read. Leaves out the credentials, because `doctor`
 * reports them as findings.
 */
export function openMatters(
  io: Io,
  options: KeyedOptions,
  database: Database,
  schema: readonly Finding[],
): ResultAsync<OpenMatters, CliFailure> {
  const skipped = (why: string) => okAsync<OpenMatters, CliFailure>({ waiting: [], skipped: [why] });
  if (isIncomplete(schema)) return skipped("what waits for a person: a migration or a table is missing");
  return policyOf(io, options)
    .andThen((policy) => keysOf(io, options).map((keyring) => portsOf(io, database, keyring, policy)))
    .andThen((ports) => readRecordFigures(ports, []).mapErr(coreFailure))
    .map((figures) => ({ waiting: mattersOf(figures, { unread: 0, warnUntil: 0 }), skipped: [] }))
    .orElse(() => skipped("what waits for a person: the policy, the keys or the record could not be read"));
}
