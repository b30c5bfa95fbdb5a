import { setTimeout } from "node:timers/promises";
import { expect } from "vitest";
import type { SqlClient } from "../sql/sql-client.js";
import { statement } from "../sql/statement.js";
import { quoted } from "../sql/tables.js";

/** The maximum time that a statement stays paused, in milliseconds. */
const PATIENCE = 2_000;

/** A statement that a test pauses while it runs. */
export interface BlockedStatement {
  readonly schema: string;
  /** The qualified SQL name of the table. */
  readonly table: string;
  /** A text column. The statement pauses before it writes the row with `value` in this column. */
  readonly column: string;
  readonly value: string;
}

/**
 * Starts `call`, runs `meanwhile` while its statement is paused, and then resumes the statement.
 *
 * The rest of the statement runs after `meanwhile` has ended. If `meanwhile` waits for a lock that
 * the transaction of the statement holds, the rest runs after two seconds. On a cluster, `node` is
 * the node that has the row.
 */
export async function withBlockedStatement<T>(
  sql: SqlClient,
  { schema, table, column, value }: BlockedStatement,
  call: () => Promise<T>,
  meanwhile: () => Promise<unknown>,
  node: SqlClient = sql,
): Promise<T> {
  const pause = `${quoted(schema)}.pause()`;
  // A cluster accepts one command per script if the command concerns its nodes.
  await sql.script(
    `create function ${pause} returns trigger language plpgsql as
       $$ begin perform pg_advisory_xact_lock_shared(hashtext(new.${column})); return new; end $$`,
  );
  await sql.script(
    `create trigger pause before insert or update on ${table} for each row execute function ${pause}`,
  );
  const hold = statement("test_hold_up", "select pg_advisory_xact_lock(hashtext($1))");
  const { called, other } = await node.transaction(async (holder) => {
    await holder.query(hold, [value]);
    const called = call();
    await untilLockWaiters(node, table, 1);
    const other = meanwhile();
    await Promise.race([other, setTimeout(PATIENCE)]);
    return { called, other };
  });
  await other;
  return called;
}

/**
 * Resolves when `count` statements that name or lock `table` wait for a lock.
 *
 * The server shows the first kilobyte of a statement only, which may end before the name.
 */
export async function untilLockWaiters(sql: SqlClient, table: string, count: number): Promise<void> {
  const stored = statement(
    "test_held_up",
    `select from pg_stat_activity a where wait_event_type = 'Lock' and (
       position($1::text in query) > 0
       or exists (select from pg_locks l where l.pid = a.pid and granted and relation = to_regclass($1::text))
     )`,
  );
  await expect.poll(() => sql.query(stored, [table])).toHaveLength(count);
}
