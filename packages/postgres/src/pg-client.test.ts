import pg from "pg";
import { afterAll, beforeAll, describe, expect, inject, it } from "vitest";
import { pgClient } from "./pg-client.js";
import { integer, text } from "./row.js";
import type { SqlClient } from "./sql-client.js";
import { statement } from "./statement.js";
import { serverClient } from "./testing/databases.js";

const ONE = statement("test_one", "select 1 as one");

describe("pgClient", () => {
  let sql: SqlClient;
  beforeAll(() => {
    sql = serverClient({ max: 2 });
  });
  afterAll(() => sql.close());

  it("sets the time-outs on every connection", async () => {
    const pool = new pg.Pool({ connectionString: inject("databaseUrl"), max: 3 });
    const timed = pgClient(pool, { statementMs: 1_234, idleInTransactionMs: 5_678 });
    const settings = statement(
      "test_settings",
      `select current_setting('statement_timeout') as statement,
         current_setting('idle_in_transaction_session_timeout') as idle, pg_sleep(0.02) is null as slept`,
    );
    const rows = await Promise.all([1, 2, 3].map(() => timed.query(settings, [])));
    for (const [row] of rows) {
      expect(row && [text(row, "statement"), text(row, "idle")]).toEqual(["1234ms", "5678ms"]);
    }
    await timed.close();
  });

  it("ends a statement that takes too long", async () => {
    const pool = new pg.Pool({ connectionString: inject("databaseUrl"), max: 1 });
    const hasty = pgClient(pool, { statementMs: 20 });
    await expect(hasty.script("select pg_sleep(60)")).rejects.toThrow(/statement timeout/);
    expect(await hasty.query(ONE, [])).toEqual([{ one: 1 }]);
    await hasty.close();
  });

  it("refuses a time-out that is no number of milliseconds", () => {
    const pool = new pg.Pool({ connectionString: inject("databaseUrl") });
    expect(() => pgClient(pool, { statementMs: 0.5 })).toThrow(/whole number/);
  });

  it("gives whole numbers exactly, and none that cannot be held", async () => {
    const numbers = statement("test_numbers", "select $1::bigint as given, 9007199254740993 as large");
    const [row] = await sql.query(numbers, [Number.MAX_SAFE_INTEGER]);
    expect(row && integer(row, "given")).toBe(Number.MAX_SAFE_INTEGER);
    expect(() => row && integer(row, "large")).toThrow(/the column large/i);
  });

  it("undoes a transaction that fails, and its connection can be used again", async () => {
    const one = serverClient({ max: 1 });
    await one.script("create temporary table kept (value int)");
    const failing = one.transaction(async (transaction) => {
      await transaction.script("insert into kept values (1)");
      throw new Error("changed its mind");
    });
    await expect(failing).rejects.toThrow("changed its mind");
    const count = statement("test_kept", "select count(*) as rows from kept");
    expect((await one.query(count, [])).map((row) => integer(row, "rows"))).toEqual([0]);
    await one.close();
  });

  it("goes on after the server ended a connection that nobody used", async () => {
    const pid = statement("test_pid", "select pg_backend_pid() as pid");
    const victim = serverClient({ max: 1 });
    const [row] = await victim.query(pid, []);
    const gone = statement("test_terminate", "select pg_terminate_backend($1::int, 5000) as done");
    await sql.query(gone, [row === undefined ? 0 : integer(row, "pid")]);
    // The pool may notice with the first statement; by then it has a new connection.
    await victim.query(ONE, []).catch(() => undefined);
    expect(await victim.query(ONE, [])).toEqual([{ one: 1 }]);
    await victim.close();
  });
});
