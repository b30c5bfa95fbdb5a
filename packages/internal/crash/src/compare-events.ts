import type { CrashFinding } from "./client-records.js";
import type { OrderSnapshot } from "./read-snapshot.js";

/**
 * Compares the events that a handler received, in order, with the timelines.
 *
 * The handler must have received every event, and the events of one order in their order. It may
 * have received an event more than once.
 */
export function compareEvents(
  journal: readonly string[],
  snapshot: readonly Pick<OrderSnapshot, "order" | "eventIds">[],
): readonly CrashFinding[] {
  const known = new Set(snapshot.flatMap(({ eventIds }) => eventIds));
  const unknown = [...new Set(journal)].filter((id) => !known.has(id));
  const findings: CrashFinding[] = unknown.map((id) => ({
    kind: "contradiction",
    bizNo: "",
    what: `a handler received ${id}, and no order has this event`,
  }));
  for (const { order, eventIds } of snapshot) {
    const mine = new Set(eventIds);
    const received = new Set(journal.filter((id) => mine.has(id)));
    const missing = eventIds.filter((id) => !received.has(id));
    const [got, sent] = [[...received].join(" "), eventIds.join(" ")];
    const { bizNo } = order;
    if (missing.length > 0)
      findings.push({ kind: "lost", bizNo, what: `the handler did not receive ${missing.join(" ")}` });
    else if (got !== sent)
      findings.push({ kind: "contradiction", bizNo, what: `the handler received ${got}, not ${sent}` });
  }
  return findings;
}
