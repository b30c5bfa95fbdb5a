import type { Tables } from "./tables.js";

const COLUMNS =
  "biz_no, app_id, seq, type, at_ms, actor, reason, from_status, to_status, evidence, alarm, previous_hash, hash";

/**
 * The hash of an entry that follows `previous`; both are SQL. `entry` stands for the canonical text of the entry, `timelineText` of core.
 * Computed where the order's row is locked, so that no two events can follow the same one.
 */
export function hashSql(previous: string, entry: string): string {
  // `previous` is ASCII without backslashes, which `bytea` takes as it is. What depends on the server's settings is asked of the entry alone: a parameter.
  return `encode(sha256((${previous} || E'\\n')::bytea || convert_to(${entry}::text, 'UTF8')), 'hex')`;
}

/** An event to append; every part is SQL over the rows of `from`, which must have the columns `biz_no` and `app_id`. */
export interface AppendedEvent {
  readonly from: string;
  readonly where?: string;
  readonly entry: string;
  readonly seq: string;
  readonly previous: string;
  readonly hash: string;
}

/** Appends one event a row of `from`. The members of an event are read from its canonical text: what is hashed is what is stored. */
export function appendSql(
  { timeline }: Pick<Tables, "timeline">,
  { from, where = "true", entry, seq, previous, hash }: AppendedEvent,
): string {
  const member = (index: number): string => `${entry}::text::json->>${index}`;
  return `insert into ${timeline} (${COLUMNS})
    select biz_no, app_id, ${seq}, ${member(0)}, (${member(1)})::bigint, ${member(2)}, ${member(3)}, ${member(4)}, ${member(5)},
      ${member(6)}, (${member(7)})::boolean, ${previous}, ${hash}
    from ${from} where ${where}`;
}

/** The columns of a timeline event. */
export const TIMELINE_COLUMNS = COLUMNS;
