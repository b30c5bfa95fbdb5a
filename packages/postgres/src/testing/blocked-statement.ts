import { expect } from "vitest";
import type { SqlClient } from "../sql-client.js";
import { statement } from "../statement.js";
import { quoted } from "../tables.js";

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
 * The rest of the statement runs after `meanwhile`. On a cluster, `node` is the node that has the
 * row.
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
  const { called } = await node.transaction(async (holder) => {
    await holder.query(hold, [value]);
    const called = call();
    await untilLockWaiters(node, table, 1);
    await meanwhile();
    return { called };
  });
  return called;
}

/** Resolves when `count` statements that name `table` wait for a lock. */
export async function untilLockWaiters(sql: SqlClient, table: string, count: number): Promise<void> {
  const stored = statement(
    "test_held_up",
    "select from pg_stat_activity where wait_event_type = 'Lock' and position($1 in query) > 0",
  );
  await expect.poll(() => sql.query(stored, [table])).toHaveLength(count);
}
