import { ok, type Result, type ResultAsync } from "neverthrow";
import type { StorageFailure } from "../errors/failure.js";
import { attempt } from "../shared/attempt.js";
import type { ImportOutcome } from "./import-outcome.js";

/**
 * Imports a batch of records, with the same outcomes as an import of one record after the other.
 *
 * Records that share a name are imported one after the other. All others are imported together.
 *
 * @param namesOf - returns the names of a record, such as its key.
 * @param importTogether - returns the outcome of each record, in the order of the records.
 */
export function importLines<T>(
  records: readonly T[],
  namesOf: (record: T) => readonly string[],
  importTogether: (records: readonly T[]) => ResultAsync<readonly ImportOutcome[], StorageFailure>,
): ResultAsync<readonly ImportOutcome[], StorageFailure> {
  return attempt(async (): Promise<Result<readonly ImportOutcome[], StorageFailure>> => {
    const outcomes = new Map<number, ImportOutcome>();
    let waiting = records.map((record, index) => ({ record, index, names: namesOf(record) }));
    while (waiting.length > 0) {
      const taken = new Set<string>();
      const together: typeof waiting = [];
      const later: typeof waiting = [];
      for (const one of waiting) {
        const isFree = one.names.every((name) => !taken.has(name));
        (isFree ? together : later).push(one);
        for (const name of one.names) taken.add(name);
      }
      const results = await importTogether(together.map(({ record }) => record));
      if (results.isErr()) return results;
      for (const [place, outcome] of results.value.entries()) {
        const line = together[place];
        if (line !== undefined) outcomes.set(line.index, outcome);
      }
      waiting = later;
    }
    return ok(records.flatMap((_, index) => outcomes.get(index) ?? []));
  });
}
