import { type OrderKey, type TimelineEntry, timelineHash } from "@tillkit/core";
import { createHash } from "node:crypto";
import { insertRowsStatement } from "./insert-rows-statement.js";
import type { SqlQueries, SqlValue } from "./sql-client.js";
import type { Tables } from "./tables.js";
import { TIMELINE_COLUMNS } from "./timeline-sql.js";

/** An event to append to the timeline of the order `key`. */
export interface NewEvent {
  readonly key: OrderKey;
  readonly seq: number;
  /** The hash of the previous event, or the order's id for the first event. */
  readonly previousHash: string;
  readonly entry: TimelineEntry;
  readonly hash: string;
}

const SHA256 = {
  sha256: (text: string): string => createHash("sha256").update(text).digest("hex"),
};

/** Creates the event that follows the hash `previousHash`. */
export function newEvent(given: Omit<NewEvent, "hash">): NewEvent {
  return { ...given, hash: timelineHash(SHA256, given.previousHash, given.entry) };
}

/** Creates the function that appends events with one statement. */
export function eventAppender({
  timeline,
}: Pick<Tables, "timeline">): (queries: SqlQueries, events: readonly NewEvent[]) => Promise<void> {
  const insert = insertRowsStatement(
    "timeline_append",
    TIMELINE_COLUMNS.split(", "),
    (rows, columns) => `insert into ${timeline} (${columns}) values ${rows}`,
  );
  return async (queries, events) => {
    await queries.query(insert(events.length), events.flatMap(eventValues));
  };
}

/** Returns the values of an event, in the order of `TIMELINE_COLUMNS`. */
function eventValues({ key, seq, previousHash, entry, hash }: NewEvent): readonly SqlValue[] {
  const { type, at, actor, reason, from = null, to = null, evidence = null, alarm } = entry;
  const facts = [type, at, actor, reason, from, to, evidence, alarm];
  return [key.bizNo, key.appId, seq, ...facts, previousHash, hash];
}
