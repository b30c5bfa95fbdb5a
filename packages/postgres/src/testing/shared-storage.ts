import type { Contended, SharedStorage } from "@tillkit/contract-tests";
import type { BatchOptions } from "../batching/batched.js";
import { grantsSql } from "../rights/grants.js";
import { postgresStores } from "../stores/postgres-stores.js";
import type { SqlClient, SqlQueries, SqlRunner } from "../sql/sql-client.js";
import { statement } from "../sql/statement.js";
import { quoted, tablesOf } from "../sql/tables.js";
import { KEY, serverClient, serverSchema } from "./databases.js";
import { type BlockedStatement, withBlockedStatement } from "./blocked-statement.js";

/** The server of a shared storage. */
export interface SharedServer {
  /** Creates a client of the server. Defaults to the PostgreSQL server of the test run. */
  readonly connect?: () => SqlClient;
  /** The role of the stores, and how it connects. Defaults to the role of `connect`. */
  readonly application?: { readonly role: string; readonly connect: () => SqlClient };
  /** Changes the migrated schema before the test. */
  readonly prepare?: (quotedSchema: string) => Promise<void>;
  /** Opens the node that has a row. Defaults to the server itself. */
  readonly nodeOf?: (row: Omit<BlockedStatement, "schema">) => Promise<SqlClient>;
  /** Whether the stores use the statements for a cluster. By default, the catalogue decides. */
  readonly distributed?: boolean;
}

/**
 * Creates stores on a server, with a connection that a test can make fail.
 *
 * The schema is dropped after the test.
 */
export async function sharedStorage(
  batching: BatchOptions,
  { connect = serverClient, application, prepare, nodeOf, distributed }: SharedServer = {},
): Promise<SharedStorage> {
  const { sql, schema } = await serverSchema(connect());
  await prepare?.(quoted(schema));
  if (application !== undefined) await sql.script(grantsSql(schema, application.role));
  const faulty = faultyClient(application?.connect() ?? connect());
  const storesOver = (client: SqlClient) =>
    postgresStores({
      sql: client,
      schema,
      credentialKeys: [KEY],
      batching,
      ...(distributed === undefined ? {} : { distributed }),
    });
  return {
    port: storesOver(faulty.sql),
    another: () => storesOver(sql),
    loseNextAnswer: faulty.loseNextAnswer,
    holdNextAnswers: faulty.holdNextAnswers,
    whileLocked: async (row, act) => {
      const { table, column, value } = placeOf(schema, row);
      const lock = statement("test_lock", `select from ${table} where ${column} = $1 for update`);
      const { done } = await sql.transaction(async (holder) => {
        await holder.query(lock, [value]);
        // Wrapped in an object, so that the transaction does not wait for a returned promise while
        // it holds the lock.
        return { done: await act() };
      });
      return done;
    },
    whileBlocked: async (row, call, meanwhile) => {
      const place = placeOf(schema, row);
      const node = await nodeOf?.(place);
      try {
        return await withBlockedStatement(sql, { schema, ...place }, call, meanwhile, node);
      } finally {
        await node?.close();
      }
    },
    close: () => faulty.sql.close(),
  };
}

/** Returns the table and the column value that identify a row within a test. */
function placeOf(schema: string, row: Contended) {
  const { orders, session_owners: owners, auth_codes: codes, quotas } = tablesOf(schema);
  if ("order" in row) return { table: orders, column: "biz_no", value: row.order.bizNo };
  if ("logins" in row) return { table: owners, column: "customer_id", value: row.logins.customerId };
  if ("code" in row) return { table: codes, column: "phone_hash", value: row.code.phoneHash };
  return { table: quotas, column: "subject", value: row.counter.subject };
}

/** Wraps `client` so that a test can lose or delay its answers. */
function faultyClient(client: SqlClient) {
  let losing = 0;
  let holding = 0;
  let stored = Promise.resolve();
  const queries = (real: SqlQueries): SqlQueries => ({
    script: (text) => real.script(text),
    query: async (...call) => {
      const lost = losing > 0;
      const waits = holding > 0;
      if (lost) losing -= 1;
      if (waits) holding -= 1;
      const rows = await real.query(...call);
      if (waits) await stored;
      if (lost) throw new Error("Connection terminated unexpectedly");
      return rows;
    },
  });
  const runner = (real: SqlRunner): SqlRunner => ({
    ...queries(real),
    transaction: (work, options) => real.transaction((within) => work(queries(within)), options),
  });
  const { onNode } = client;
  const sql: SqlClient = {
    ...runner(client),
    ...(onNode === undefined ? {} : { onNode: (node) => runner(onNode(node)) }),
    close: () => client.close(),
  };
  return {
    sql,
    loseNextAnswer: () => {
      losing += 1;
    },
    holdNextAnswers: (count: number) => {
      let release = (): void => undefined;
      stored = new Promise((resolve) => {
        release = resolve;
      });
      holding = count;
      return () => release();
    },
  };
}
