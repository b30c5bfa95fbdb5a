import { SHA256 } from "../sql/chained-hash.js";
import { type OrderKey, type TimelineEntry, timelineHash } from "@tillkit/core";
import { causesEvent, type SealedEntry } from "@tillkit/core/ports";
import { sealed } from "./appended-text.js";
import { insertRowsStatement } from "../sql/insert-rows-statement.js";
import { NEW_DELIVERY_COLUMNS, UNLESS_DELIVERING } from "./make-due-sql.js";
import { orderKeyText } from "./order-key.js";
import type { SqlQueries, SqlValue } from "../sql/sql-client.js";
import type { Tables } from "../sql/tables.js";
import { DIGEST, STORED_EVENT_COLUMNS } from "./timeline-sql.js";

/** An event to append to the timeline of the order `key`. */
export interface NewEvent {
  readonly key: OrderKey;
  readonly seq: number;
  /** The hash of the previous event, or the order's id for the first event. */
  readonly previousHash: string;
  readonly entry: SealedEntry;
  readonly hash: string;
}

/** Creates the event that follows the hash `previousHash`, and seals its reason. */
export function newEvent(
  given: Omit<NewEvent, "hash" | "entry"> & { readonly entry: TimelineEntry },
): NewEvent {
  const entry = sealed(given.entry);
  return { ...given, entry, hash: timelineHash(SHA256, given.previousHash, entry) };
}

/**
 * Creates the function that appends events with one statement.
 *
 * A second statement makes the deliveries of the events to `handlers` due. The events and the
 * handlers must be sorted, so that deliveries are locked in the order of their keys.
 */
export function eventAppender({
  timeline,
  event_deliveries: deliveries,
}: Pick<Tables, "timeline" | "event_deliveries">): (
  queries: SqlQueries,
  events: readonly NewEvent[],
  handlers: readonly string[],
) => Promise<void> {
  const insert = insertRowsStatement(
    "timeline_append",
    STORED_EVENT_COLUMNS,
    (rows, columns) => `insert into ${timeline} (${columns}) values ${rows}`,
    ["evidence_sha256", "reason_salt", "reason_digest", "hash"],
  );
  const makeDue = insertRowsStatement(
    "event_delivery_make_due",
    NEW_DELIVERY_COLUMNS.split(", "),
    (rows, columns) => `insert into ${deliveries} as d (${columns}) values ${rows} ${UNLESS_DELIVERING}`,
  );
  return async (queries, events, handlers) => {
    await queries.query(insert(events.length), events.flatMap(eventValues));
    const causes = new Map<string, NewEvent[]>();
    for (const event of events.filter(({ entry }) => causesEvent(entry)))
      causes.set(orderKeyText(event.key), [...(causes.get(orderKeyText(event.key)) ?? []), event]);
    const values = [...causes.values()].flatMap((ofOrder) =>
      handlers.map((handler) => deliveryValues(handler, ofOrder)),
    );
    if (values.length > 0) await queries.query(makeDue(values.length), values.flat());
  };
}

/** Returns the values of a new delivery of one order's events, in the order of its columns. */
function deliveryValues(handler: string, events: readonly NewEvent[]): readonly SqlValue[] {
  const [first, last] = [events[0], events.at(-1)];
  if (first === undefined || last === undefined) throw new Error("A delivery needs an event.");
  const { bizNo, appId } = first.key;
  return [bizNo, appId, handler, first.seq, 0, last.seq, last.entry.at, first.entry.at, 0];
}

const IS_DIGEST = new RegExp(DIGEST, "u");

/** Returns the values of an event, in the order of `STORED_EVENT_COLUMNS`. */
function eventValues({ key, seq, entry, hash }: NewEvent): readonly SqlValue[] {
  const { type, at, actor, reason, from = null, to = null, evidence = null, alarm } = entry;
  const { refundNo = null, details = null, reasonSalt = null, reasonDigest: sha256 = null } = entry;
  const digest = evidence !== null && IS_DIGEST.test(evidence) ? evidence : null;
  const text = digest === null ? evidence : null;
  const facts = [
    type,
    at,
    actor,
    reason,
    from,
    to,
    text,
    digest,
    alarm,
    refundNo,
    details,
    reasonSalt,
    sha256,
  ];
  return [key.bizNo, key.appId, seq, ...facts, hash];
}
