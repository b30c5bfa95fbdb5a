import type { CrashFinding } from "./client-records.js";
import type { OrderSnapshot } from "./read-snapshot.js";

/** What the handlers of a host did, by the ids of the events. */
export interface HandledEvents {
  /** The events that a handler wrote to a file, in order, with repeats. */
  readonly journal: readonly string[];
  /** The events that a handler wrote to the database in the transaction of their delivery. */
  readonly effects: readonly string[];
}

/**
 * Compares what handlers received with the timelines.
 *
 * Every event was received, those of an order in order. A file may contain an event again, and the
 * database must not.
 */
export function compareEvents(
  { journal, effects }: HandledEvents,
  snapshot: readonly Pick<OrderSnapshot, "order" | "eventIds">[],
): readonly CrashFinding[] {
  const known = new Set(snapshot.flatMap(({ eventIds }) => eventIds));
  const findings: CrashFinding[] = [];
  for (const id of new Set([...journal, ...effects])) {
    if (!known.has(id)) findings.push({ kind: "contradiction", bizNo: "", what: `no order has the event ${id}` });
  }
  for (const { order, eventIds } of snapshot) {
    const { bizNo } = order;
    const mine = new Set(eventIds);
    const received = [...new Set(journal.filter((id) => mine.has(id)))];
    const inDatabase = effects.filter((id) => mine.has(id));
    const find = (kind: CrashFinding["kind"], what: string): void => void findings.push({ kind, bizNo, what });
    for (const [handler, ids] of Object.entries({ file: received, database: inDatabase })) {
      const missing = eventIds.filter((id) => !ids.includes(id));
      if (missing.length > 0) find("lost", `the ${handler} handler did not receive ${missing.join(" ")}`);
      else if ([...new Set(ids)].join(" ") !== eventIds.join(" "))
        find("contradiction", `the ${handler} handler received ${ids.join(" ")}, not ${eventIds.join(" ")}`);
    }
    if (new Set(inDatabase).size < inDatabase.length)
      find("duplicated", `an event has two effects in the database: ${inDatabase.join(" ")}`);
  }
  return findings;
}
