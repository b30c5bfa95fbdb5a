import { errorCode } from "./error-code.js";
import { type Lend, lending, type PgPool } from "./pg-connections.js";
import type { SqlClient, SqlQueries } from "./sql-client.js";
import { type Line, untilLost } from "./until-lost.js";

/** How long this client may take, in whole milliseconds, and who sees to it. */
export interface PgOptions {
  /** For one statement, kept by the server; 10 000 unless told. */
  readonly statementMs?: number;
  /** For doing nothing inside of a transaction, kept by the server; 10 000 unless told. A process that dies thereby holds no lock for long. */
  readonly idleInTransactionMs?: number;
  /** For getting a connection when all are in use or the server does not answer; 5 000 unless told. */
  readonly connectMs?: number;
  /**
   * Where the server has its time-outs from, and what else this client counts on. `"connection"`, unless told: each connection is told before its first use. `"role"`: nothing is set, because a
   * pooler that lends a connection for one transaction, like PgBouncer, would leave it to the next client. Give the role `roleSettingsSql` instead.
   */
  readonly settings?: "connection" | "role";
}

/** A `SqlClient` over a `Pool` of `pg`. It closes the pool with itself. Throws on a time that is no whole number of milliseconds. */
export function pgClient(
  pool: PgPool,
  { statementMs, idleInTransactionMs, connectMs = 5_000, settings = "connection" }: PgOptions = {},
): SqlClient {
  const set = settingsOf({ statementMs, idleInTransactionMs })
    .map(([name, value]) => `set ${name} = ${value}`)
    .join("; ");
  const lend = lending(pool, {
    connectMs: wholeMs(connectMs),
    ...(settings === "connection" ? { settings: set } : {}),
  });
  return {
    query: (statement, values) => again(() => lend((one) => queriesOf(one).query(statement, values))),
    script: (text) => lend((one) => queriesOf(one).script(text)),
    transaction: (work, { once = false } = {}) =>
      once ? transaction(lend, work) : again(() => transaction(lend, work)),
    close: () => pool.end(),
  };
}

/** What `settingsOf` puts into words. */
export type ServerTimeouts = Readonly<Record<"statementMs" | "idleInTransactionMs", number | undefined>>;

/** The settings of the server that this package counts on, with their values as SQL writes them. */
export function settingsOf({
  statementMs = 10_000,
  idleInTransactionMs = 10_000,
}: ServerTimeouts): readonly (readonly [name: string, value: string])[] {
  return [
    ["statement_timeout", `${wholeMs(statementMs)}`],
    ["idle_in_transaction_session_timeout", `${wholeMs(idleInTransactionMs)}`],
    // Every promise of the stores is made for this level. A database or a role may have been given another one.
    ["default_transaction_isolation", "'read committed'"],
    // Every statement has its index, and plans are kept: one made while a table was empty would go on reading all of it when it has grown.
    ["enable_seqscan", "off"],
    // A server before version 18 takes what must be read as a whole all the same, such as a file put aside, for so dear that it compiles the statement first.
    ["jit", "off"],
  ];
}

function queriesOf(connection: Pick<Line, "query">): SqlQueries {
  return {
    query: async ({ name, text }, values) =>
      (await connection.query({ name, text, values: [...values] })).rows,
    script: async (text) => {
      await connection.query({ text });
    },
  };
}

function transaction<T>(lend: Lend, work: (queries: SqlQueries) => Promise<T>): Promise<T> {
  return lend(async (connection, keep) => {
    const line = untilLost(connection);
    await line.query({ text: "begin isolation level read committed" });
    try {
      const result = await work(queriesOf(line));
      await line.query({ text: "commit" });
      return result;
    } catch (error) {
      // A server that does not answer would not answer a rollback either, and undoes the transaction when the connection ends.
      if (line.isLost()) throw error;
      // Where this fails too, nobody knows what state the connection is in. One that only reads leads to a server that is no longer the first: another is made.
      const keepUnlessDemoted = errorCode(error) === "25006" ? () => undefined : keep;
      await connection.query("rollback").then(keepUnlessDemoted, () => undefined);
      throw error;
    }
  });
}

const RUNS = 3;

/** Runs `work` again when the server undid it to end a deadlock, or because it could not be put in a row with others: by then it has left no trace. */
async function again<T>(work: () => Promise<T>): Promise<T> {
  for (let run = 1; ; run += 1) {
    try {
      return await work();
    } catch (error) {
      if (run === RUNS || !wasUndone(error)) throw error;
    }
  }
}

function wasUndone(error: unknown): boolean {
  const code = errorCode(error);
  return code === "40P01" || code === "40001";
}

function wholeMs(ms: number): number {
  if (Number.isSafeInteger(ms) && ms >= 0) return ms;
  throw new RangeError("A time-out is a whole number of milliseconds, 0 or more.");
}
