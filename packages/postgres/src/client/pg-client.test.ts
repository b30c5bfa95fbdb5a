import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { createServer } from "node:net";
import { expectFailure, expectOk } from "@tillkit/contract-tests";
import pg from "pg";
import {
  afterAll,
  afterEach,
  beforeAll,
  beforeEach,
  describe,
  expect,
  inject,
  it,
  onTestFinished,
  vi,
} from "vitest";
import { migrate } from "../admin/migrate.js";
import { pgClient } from "./pg-client.js";
import { postgresStores } from "../stores/postgres-stores.js";
import { roleSettingsSql } from "../admin/role-settings.js";
import { integer, text } from "../sql/row.js";
import type { SqlClient, SqlQueries } from "../sql/sql-client.js";
import { statement } from "../sql/statement.js";
import { quoted } from "../sql/tables.js";
import { freshSchema, KEY, serverClient } from "../testing/databases.js";
import { unresponsiveServer } from "../testing/unresponsive-server.js";

const ONE = statement("test_one", "select 1 as one");

describe("pgClient", () => {
  let sql: SqlClient;
  beforeAll(() => {
    sql = serverClient({ max: 2 });
  });
  afterAll(() => sql.close());

  it("sets the timeouts on every connection", async () => {
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

  it.each([
    ["named", [{ name: ONE.name }]],
    ["unnamed", []],
  ] as const)("keeps the names of %s statements on the server", async (statements, kept) => {
    const one = pgClient(new pg.Pool({ connectionString: inject("databaseUrl"), max: 1 }), { statements });
    await one.transaction((transaction) => transaction.query(ONE, []));
    const names = statement("test_names", "select name from pg_prepared_statements where name <> $1");
    const own = statements === "named" ? names.name : "";
    expect(await one.query(names, [own])).toEqual(kept);
    await one.close();
  });

  it("ends a statement that takes too long", async () => {
    const pool = new pg.Pool({ connectionString: inject("databaseUrl"), max: 1 });
    const hasty = pgClient(pool, { statementMs: 20 });
    await expect(hasty.script("select pg_sleep(60)")).rejects.toThrow(/statement timeout/);
    // On a busy machine even this statement may take longer than the timeout.
    await expect.poll(() => hasty.query(ONE, [])).toEqual([{ one: 1 }]);
    await hasty.close();
  });

  it("rejects a timeout that is not a number of milliseconds", () => {
    const pool = new pg.Pool({ connectionString: inject("databaseUrl") });
    expect(() => pgClient(pool, { statementMs: 0.5 })).toThrow(/whole number/);
  });

  it("returns integers exactly, and fails for an integer that is not safe", async () => {
    const numbers = statement("test_numbers", "select $1::bigint as given, 9007199254740993 as large");
    const [row] = await sql.query(numbers, [Number.MAX_SAFE_INTEGER]);
    expect(row && integer(row, "given")).toBe(Number.MAX_SAFE_INTEGER);
    expect(() => row && integer(row, "large")).toThrow(/the column large/i);
  });

  it("rolls back a failed transaction, and reuses its connection", async () => {
    const one = serverClient({ max: 1 });
    await one.script("create temporary table kept (value int)");
    const failing = one.transaction(async (transaction) => {
      await transaction.script("insert into kept values (1)");
      throw new Error("work rejected");
    });
    await expect(failing).rejects.toThrow("work rejected");
    const count = statement("test_kept", "select count(*) as rows from kept");
    expect((await one.query(count, [])).map((row) => integer(row, "rows"))).toEqual([0]);
    await one.close();
  });

  it("closes connections to a server that has become read-only", async () => {
    const one = serverClient({ max: 1 });
    await one.script("set default_transaction_read_only = on");
    const write = () =>
      one.transaction((transaction) =>
        transaction.script(
          "create table public.written_by_none (value int); drop table public.written_by_none",
        ),
      );
    await expect(write()).rejects.toMatchObject({ code: "25006" });
    await expect(write()).resolves.toBeUndefined();
    await one.close();
  });

  it("runs at READ COMMITTED, for any default of the database or role", async () => {
    const url = new URL(inject("databaseUrl"));
    url.searchParams.set("options", "-c default_transaction_isolation=serializable");
    const level = statement("test_level", "select current_setting('transaction_isolation') as level");
    const strict = pgClient(new pg.Pool({ connectionString: url.href, max: 1 }));
    expect(await strict.query(level, [])).toEqual([{ level: "read committed" }]);
    await strict.close();
    const bare = pgClient(new pg.Pool({ connectionString: url.href, max: 1 }), { settings: "role" });
    expect(await bare.query(level, [])).toEqual([{ level: "serializable" }]);
    expect(await bare.transaction((transaction) => transaction.query(level, []))).toEqual([
      { level: "read committed" },
    ]);
    await bare.close();
  });

  it("repeats work that the server undid to end a deadlock", async () => {
    const keys = [1, 2].map(() => randomBytes(4).readInt32BE());
    const lock = statement("test_lock", "select pg_advisory_xact_lock($1::int) is null as locked");
    let release = (): void => undefined;
    const bothHold = new Promise<void>((resolve) => (release = resolve));
    let holding = 0;
    let runs = 0;
    const take = (first = 0, second = 0) =>
      sql.transaction(async (transaction) => {
        runs += 1;
        await transaction.query(lock, [first]);
        holding += 1;
        if (holding === 2) release();
        await bothHold;
        await transaction.query(lock, [second]);
      });
    await Promise.all([take(keys[0], keys[1]), take(keys[1], keys[0])]);
    expect(runs).toBe(3);
  });
});

describe("pgClient: a migration that changes the type of a column", () => {
  const READ = statement("test_stale_plan", "select value from test_stale_plan");
  const CHANGES = ["text", "varchar(20)"] as const;
  let sql: SqlClient;
  let changed = 0;
  const changeType = () => {
    changed += 1;
    return sql.script(`alter table test_stale_plan alter column value type ${CHANGES[changed % 2]}`);
  };
  /** Lets both connections of the pool prepare the statement. */
  const prepareOnAll = () => Promise.all([1, 2].map(() => sql.transaction((line) => line.query(READ, []))));
  beforeAll(async () => {
    sql = serverClient({ max: 2 });
    await sql.script("create table test_stale_plan (value text); insert into test_stale_plan values ('a')");
  });
  afterAll(async () => {
    await sql.script("drop table test_stale_plan");
    await sql.close();
  });

  it("answers the next statement of every connection", async () => {
    await prepareOnAll();
    await changeType();
    const rows = await Promise.all([1, 2, 3].map(() => sql.query(READ, [])));
    expect(rows).toEqual([[{ value: "a" }], [{ value: "a" }], [{ value: "a" }]]);
  });

  it("answers the next transactions", async () => {
    await prepareOnAll();
    await changeType();
    const read = () => sql.transaction((line) => line.query(READ, []));
    expect(await Promise.all([read(), read()])).toEqual([[{ value: "a" }], [{ value: "a" }]]);
  });

  it("closes the connection of a transaction that runs once", async () => {
    await prepareOnAll();
    await changeType();
    const once = () => sql.transaction((line) => line.query(READ, []), { once: true });
    await Promise.all([1, 2].map(() => expect(once()).rejects.toThrow(/cached plan/)));
    expect(await Promise.all([once(), once()])).toEqual([[{ value: "a" }], [{ value: "a" }]]);
  });
});

describe("pgClient: connections", () => {
  const PID = statement("test_pid", "select pg_backend_pid() as pid");
  const TERMINATE = statement("test_terminate", "select pg_terminate_backend($1::int, 30000) as done");
  let admin: SqlClient;
  let victim: SqlClient;
  beforeEach(() => {
    admin = serverClient({ max: 2 });
    victim = serverClient({ max: 1 });
  });
  afterEach(async () => {
    await victim.close();
    await admin.close();
  });
  const pidOf = async (queries: SqlQueries): Promise<number> => {
    const [row] = await queries.query(PID, []);
    return row === undefined ? 0 : integer(row, "pid");
  };
  const terminate = (pid: number) => admin.query(TERMINATE, [pid]);
  /** Resolves when the connection `pid` is in the state `where`. */
  const until = async (pid: number, where: string): Promise<void> => {
    const found = statement(
      "test_activity",
      `select exists (select from pg_stat_activity where pid = $1 and ${where}) as found`,
    );
    await expect.poll(() => admin.query(found, [pid])).toEqual([{ found: true }]);
  };

  it("continues after the server ended an idle connection", async () => {
    const before = await pidOf(victim);
    await terminate(before);
    // The pool may notice the loss only with the first statement, and then opens a new connection.
    await victim.query(ONE, []).catch(() => undefined);
    expect(await pidOf(victim)).not.toBe(before);
  });

  it("fails the statement whose connection the server ends as soon as it is open", async () => {
    const message = (type: string, ...parts: readonly (string | number)[]) => {
      const body = Buffer.concat(
        parts.map((part) => (typeof part === "string" ? Buffer.from(part) : int32(part))),
      );
      return Buffer.concat([Buffer.from(type), int32(body.length + 4), body]);
    };
    const ended = "SFATAL\0C57P01\0Mterminating connection due to administrator command\0\0";
    const server = createServer((socket) => {
      socket.once("data", () => {
        socket.end(Buffer.concat([message("R", 0), message("Z", "I"), message("E", ended)]));
      });
    }).listen(0, "127.0.0.1");
    await once(server, "listening");
    const address = server.address();
    const port = typeof address === "object" ? address?.port : undefined;
    const client = pgClient(new pg.Pool({ host: "127.0.0.1", port, user: "any", database: "any" }));
    await expect(client.script("select 1")).rejects.toThrow();
    await client.close();
    server.close();
  });

  it("fails the statement whose connection the server ends, and continues with the next", async () => {
    const pid = await pidOf(victim);
    const waiting = expect(victim.script("select pg_sleep(60)")).rejects.toThrow(/terminat/);
    await until(pid, "wait_event = 'PgSleep'");
    await terminate(pid);
    await waiting;
    expect(await victim.query(ONE, [])).toEqual([{ one: 1 }]);
  });

  it("fails the transaction whose connection the server ends between two statements, and continues with the next", async () => {
    const stricken = victim.transaction(async (transaction) => {
      await terminate(await pidOf(transaction));
      await transaction.query(ONE, []);
    });
    await expect(stricken).rejects.toThrow(/terminat|connection/i);
    expect(await victim.query(ONE, [])).toEqual([{ one: 1 }]);
  });

  it("survives a transaction that the server ends because it is idle too long", async () => {
    const pool = new pg.Pool({ connectionString: inject("databaseUrl"), max: 1 });
    const slow = pgClient(pool, { idleInTransactionMs: 20 });
    const stricken = slow.transaction(async (transaction) => {
      const pid = await pidOf(transaction);
      const alive = statement("test_alive", "select count(*) as alive from pg_stat_activity where pid = $1");
      await expect.poll(() => admin.query(alive, [pid])).toEqual([{ alive: "0" }]);
      await transaction.query(ONE, []);
    });
    await expect(stricken).rejects.toThrow();
    expect(await slow.query(ONE, [])).toEqual([{ one: 1 }]);
    await slow.close();
  });

  it("fails if no connection is free in time, and leaves the queue", async () => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    onTestFinished(() => void vi.useRealTimers());
    const pool = new pg.Pool({ connectionString: inject("databaseUrl"), max: 1 });
    const small = pgClient(pool, { connectMs: 50 });
    await small.transaction(async (transaction) => {
      const refused = expect(small.query(ONE, [])).rejects.toThrow(/no connection .* 50 ms/i);
      vi.advanceTimersByTime(49);
      expect(pool.waitingCount).toBe(1);
      vi.advanceTimersByTime(1);
      await refused;
      await transaction.query(ONE, []);
    });
    expect(await small.query(ONE, [])).toEqual([{ one: 1 }]);
    await small.close();
  });

  it("returns a lost connection to a store as storage.unavailable, and answers the next call", async () => {
    const schema = freshSchema();
    await expectOk(migrate({ sql: admin, schema }));
    const { apps } = postgresStores({ sql: victim, schema, credentialKeys: [KEY] });
    expect(await expectOk(apps.list())).toEqual([]);
    const table = `${quoted(schema)}.apps`;
    await admin.transaction(async (transaction) => {
      await transaction.script(`lock table ${table} in access exclusive mode`);
      const pid = await pidOf(victim);
      const listing = expectFailure(apps.list());
      await until(pid, "wait_event_type = 'Lock'");
      await transaction.query(TERMINATE, [pid]);
      expect(await listing).toMatchObject({ name: "storage.unavailable" });
    });
    expect(await expectOk(apps.list())).toEqual([]);
    await admin.script(`drop schema ${quoted(schema)} cascade`);
  });
});

describe("pgClient: a server that stops answering in a transaction", () => {
  const TWO = statement("test_two", "select 2 as two");
  const QUERY_TIMEOUT = 500;
  const open = async () => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    onTestFinished(() => void vi.useRealTimers());
    const server = await unresponsiveServer();
    const pool = new pg.Pool({ connectionString: server.url, max: 1, query_timeout: QUERY_TIMEOUT });
    const stopResponding = () => {
      server.stopResponding();
      // From here on every statement reaches its timeout.
      const passing = setInterval(() => vi.advanceTimersByTime(QUERY_TIMEOUT), 1);
      onTestFinished(() => clearInterval(passing));
    };
    const client = pgClient(pool);
    onTestFinished(() => client.close());
    // The client waits for each query, so the test counts the queries.
    const asked = vi.spyOn(pg.Client.prototype, "query");
    onTestFinished(() => asked.mockRestore());
    const texts = () => asked.mock.calls.map(([query]) => JSON.stringify(query));
    return { stopResponding, client, texts };
  };

  it("delays a transaction once, and not for each statement and the rollback", async () => {
    const { client, stopResponding, texts } = await open();
    const failures: unknown[] = [];
    const stricken = client.transaction(async (transaction) => {
      await transaction.query(TWO, []);
      stopResponding();
      for (const _ of [1, 2, 3])
        await transaction.query(ONE, []).catch((error: unknown) => failures.push(error));
      await transaction.script("select 3");
    });
    await expect(stricken).rejects.toThrow(/timeout/);
    expect(failures).toHaveLength(3);
    expect(new Set(failures).size).toBe(1);
    expect(texts().filter((text) => text.includes("select 1 as one"))).toHaveLength(1);
    expect(texts().join()).not.toMatch(/rollback|select 3/);
  });

  it.each(["begin", "commit"])("delays a transaction once if it does not answer at the %s", async (place) => {
    const { client, stopResponding, texts } = await open();
    await client.query(TWO, []);
    if (place === "begin") stopResponding();
    const stricken = client.transaction(async (transaction) => {
      await transaction.query(ONE, []);
      stopResponding();
    });
    await expect(stricken).rejects.toThrow(/timeout/);
    expect(texts().at(-1)).toContain(place);
  });
});

it("pgClient makes the server plan with indexes, and never compile a statement", async () => {
  const sql = serverClient({ max: 1 });
  onTestFinished(() => sql.close());
  const settings = statement(
    "test_planner",
    "select current_setting('enable_seqscan') as seqscan, current_setting('jit') as jit",
  );
  expect(await sql.query(settings, [])).toEqual([{ seqscan: "off", jit: "off" }]);
});

describe("roleSettingsSql", () => {
  it("sets the timeouts on every connection of the role without client settings", async () => {
    const role = `till_role_${randomBytes(6).toString("hex")}`;
    const admin = serverClient({ max: 1 });
    const database = decodeURIComponent(new URL(inject("databaseUrl")).pathname.slice(1));
    await admin.script(`create role ${role} login password '${role}'`);
    await admin.script(roleSettingsSql(database, role, { statementMs: 1_234 }));
    const url = new URL(inject("databaseUrl"));
    url.username = url.password = role;
    const pooled = pgClient(new pg.Pool({ connectionString: url.href, max: 1 }), { settings: "role" });
    const settings = statement(
      "test_role_settings",
      `select current_setting('statement_timeout') as statement, current_setting('transaction_isolation') as level,
         current_setting('idle_in_transaction_session_timeout') as idle`,
    );
    expect(await pooled.query(settings, [])).toEqual([
      { statement: "1234ms", idle: "10s", level: "read committed" },
    ]);
    await pooled.close();
    await admin.script(`drop role ${role}`);
    await admin.close();
  });
});

function int32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeInt32BE(value);
  return bytes;
}
