import type { Tables } from "./tables.js";

const COLUMNS =
  "biz_no, app_id, seq, type, at_ms, actor, reason, from_status, to_status, evidence, alarm, refund_no, previous_hash, hash";

/**
 * Returns SQL for the hash of an entry that follows the hash `previous`. Both are SQL.
 *
 * `entry` is the canonical text of the entry (`timelineText` of core). The database computes the
 * hash while the row of the order is locked, so two events cannot follow the same one.
 */
export function hashSql(previous: string, entry: string): string {
  // The cast to `bytea` reads a backslash as an escape, so each one is doubled. Unlike `convert_to`
  // the cast is immutable, which a distributed database requires in a condition. The encoding of
  // the database is UTF-8.
  return `encode(sha256((${previous} || E'\\n' || replace(${entry}::text, E'\\\\', E'\\\\\\\\'))::bytea), 'hex')`;
}

/**
 * An event to append. Every part is SQL over the rows of `from`.
 *
 * `from` must have the columns `biz_no` and `app_id`.
 */
export interface AppendedEvent {
  readonly from: string;
  readonly where?: string;
  readonly entry: string;
  readonly seq: string;
  readonly previous: string;
  readonly hash: string;
}

/**
 * Returns SQL that appends one event for each row of `from`.
 *
 * The SQL reads the members of an event from its canonical text, so the stored values are the
 * hashed ones. Its rows are the input of `makeDueSql`.
 */
export function appendSql(
  { timeline }: Pick<Tables, "timeline">,
  { from, where = "true", entry, seq, previous, hash }: AppendedEvent,
): string {
  const member = (index: number): string => `${entry}::text::json->>${index}`;
  return `insert into ${timeline} (${COLUMNS})
    select biz_no, app_id, ${seq}, ${member(0)}, (${member(1)})::bigint, ${member(2)}, ${member(3)}, ${member(4)}, ${member(5)},
      ${member(6)}, (${member(7)})::boolean, ${member(8)}, ${previous}, ${hash}
    from ${from} where ${where}
    returning biz_no, app_id, seq, type, at_ms, alarm`;
}

/** The columns of a timeline event. */
export const TIMELINE_COLUMNS = COLUMNS;
