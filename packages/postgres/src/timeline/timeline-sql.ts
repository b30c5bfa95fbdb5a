import { chainedHashSql, hexSql } from "../sql/chained-hash.js";
import type { Tables } from "../sql/tables.js";

/** The columns of a stored event. Its evidence is in one of two columns. */
export const STORED_EVENT_COLUMNS = [
  "biz_no",
  "app_id",
  "seq",
  "type",
  "at_ms",
  "actor",
  "reason",
  "from_status",
  "to_status",
  "evidence",
  "evidence_sha256",
  "alarm",
  "refund_no",
  "details",
  "reason_salt",
  "reason_digest",
  "hash",
] as const;

/** The form of evidence that is stored as bytes, as a regular expression. */
export const DIGEST = "^[0-9a-f]{64}$";

/** SQL for the evidence of a stored event. */
export const EVIDENCE = `coalesce(evidence, ${hexSql("evidence_sha256")})`;

/**
 * Returns SQL for the hash of an entry that follows the hash `previous`, as bytes. Both are SQL.
 *
 * `previous` is a hash in hexadecimal, or the order's id. `entry` is the text of `appendedText`, of
 * which the hash covers the first line. The database computes the hash while the row of the order
 * is locked, so two events cannot follow the same event.
 */
export function hashSql(previous: string, entry: string): string {
  return chainedHashSql(previous, hashedSql(entry));
}

/** Returns SQL for the canonical text of an entry. */
function hashedSql(entry: string): string {
  return `split_part(${entry}::text, E'\\n', 1)`;
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
  readonly hash: string;
}

/**
 * Returns SQL that appends one event for each row of `from`.
 *
 * The SQL reads the members of an event from its canonical text, so the stored values are the
 * hashed ones. A sealed reason and its salt are in the second line. The returned rows are the input
 * of `makeDueSql`.
 */
export function appendSql(
  { timeline }: Pick<Tables, "timeline">,
  { from, where = "true", entry, seq, hash }: AppendedEvent,
): string {
  const member = (index: number): string => `${hashedSql(entry)}::json->>${index}`;
  const sealed = (index: number): string =>
    `nullif(split_part(${entry}::text, E'\\n', 2), '')::json->>${index}`;
  const isDigest = `${member(6)} ~ '${DIGEST}'`;
  return `insert into ${timeline} (${STORED_EVENT_COLUMNS.join(", ")})
    select biz_no, app_id, ${seq}, ${member(0)}, (${member(1)})::bigint, ${member(2)}, coalesce(${sealed(0)}, ${member(3)}), ${member(4)}, ${member(5)},
      case when ${isDigest} then null else ${member(6)} end, case when ${isDigest} then decode(${member(6)}, 'hex') end,
      (${member(7)})::boolean, ${member(8)}, ${member(9)},
      decode(${sealed(1)}, 'hex'), case when ${sealed(1)} is not null then decode(${hashedSql(entry)}::json->3->>'sha256', 'hex') end, ${hash}
    from ${from} where ${where}
    returning biz_no, app_id, seq, type, at_ms, alarm`;
}

/**
 * Returns a query for the timeline of the order with the SQL condition `key`, in sequence.
 *
 * The previous hash of an event is the stored hash of the row before. If that row was changed or
 * removed, the hash of the event does not follow from it.
 */
export function timelineSql({ timeline, orders }: Pick<Tables, "timeline" | "orders">, key: string): string {
  return `select seq, type, at_ms, actor, reason, from_status, to_status, ${EVIDENCE} as evidence, alarm, refund_no, details,
      ${hexSql("reason_salt")} as reason_salt, ${hexSql("reason_digest")} as reason_digest,
      coalesce(lag(${hexSql("hash")}) over (order by seq), (select id from ${orders} where ${key})) as previous_hash,
      ${hexSql("hash")} as hash
    from ${timeline} where ${key} order by seq`;
}
