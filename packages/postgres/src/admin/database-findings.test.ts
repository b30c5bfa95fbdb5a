import { randomBytes } from "node:crypto";
import { expectFailure, expectOk } from "@tillkit/contract-tests";
import pg from "pg";
import { afterAll, beforeAll, describe, expect, inject, it, onTestFinished } from "vitest";
import { inspectSchema } from "./inspect-schema.js";
import { migrate } from "./migrate.js";
import { pgClient } from "../client/pg-client.js";
import { checkSchema } from "./schema-state.js";
import type { SqlClient, SqlQueries } from "../sql/sql-client.js";
import { quoted } from "../sql/tables.js";
import { freshSchema, serverClient, serverSchema } from "../testing/databases.js";

/** Creates a database, and returns its URL. It is dropped after the test. */
async function newDatabase(options = ""): Promise<string> {
  const name = `suited_${randomBytes(6).toString("hex")}`;
  const admin = serverClient({ max: 1 });
  await admin.script(`create database ${name} ${options}`);
  onTestFinished(async () => {
    await admin.script(`drop database ${name} with (force)`);
    await admin.close();
  });
  const url = new URL(inject("databaseUrl"));
  url.pathname = `/${name}`;
  return url.href;
}

it.each(["EUC_CN", "LATIN1", "SQL_ASCII"])(
  "migrate and checkSchema refuse a database in %s",
  async (encoding) => {
    const server = await newDatabase(`encoding '${encoding}' lc_collate 'C' lc_ctype 'C' template template0`);
    const sql = serverClient({ server, max: 1 });
    onTestFinished(() => sql.close());
    const refusal = {
      name: "database.unsuitable",
      findings: [{ kind: "wrong-encoding", subject: "database" }],
    };
    expect(await expectFailure(migrate({ sql, schema: "tillkit" }))).toMatchObject(refusal);
    expect(await expectFailure(checkSchema(sql, "tillkit"))).toMatchObject(refusal);
    const findings = await expectOk(inspectSchema(sql, "tillkit"));
    expect(findings.map(({ kind }) => kind)).toContain("wrong-encoding");
  },
);

describe("a migrated database", () => {
  const role = `till_app_${randomBytes(6).toString("hex")}`;
  const schema = freshSchema();
  const within = quoted(schema);
  let sql: SqlClient;
  beforeAll(async () => {
    sql = serverClient({ max: 2 });
    await sql.script(`create role ${role}`);
    await expectOk(migrate({ sql, schema, application: role }));
  });
  afterAll(async () => {
    await sql.script(`drop owned by ${role} cascade; drop schema ${within} cascade; drop role ${role}`);
    await sql.close();
  });

  /** Returns the result of `work` after `harm`, and then rolls `harm` back. */
  async function after<T>(harm: string, work: (queries: SqlQueries) => PromiseLike<T>): Promise<T> {
    const results: T[] = [];
    const undone = new Error("undone");
    const harmed = sql.transaction(async (transaction) => {
      await transaction.script(`set local search_path to ${within}; ${harm}`);
      results.push(await work(transaction));
      throw undone;
    });
    await expect(harmed).rejects.toBe(undone);
    const [result] = results;
    if (result === undefined) throw new Error("There is no result.");
    return result;
  }

  it.each([
    ["an unlogged table", "alter table timeline set unlogged", "unlogged-table", "timeline", "set logged"],
    [
      "row level security",
      "alter table orders enable row level security",
      "row-security",
      "orders",
      "disable row level security",
    ],
    [
      "a rule",
      "create rule lost as on insert to orders do instead nothing",
      "foreign-rule",
      "orders",
      'disable rule "lost"',
    ],
    [
      "a trigger",
      `create function f() returns trigger language plpgsql as 'begin return null; end';
       create trigger lost before insert on refunds for each row execute function f()`,
      "foreign-trigger",
      "refunds",
      'disable trigger "lost"',
    ],
    ["a right of every role", "grant select on orders to public", "public-grant", "orders", "revoke select"],
    [
      "a right of every role to create",
      `grant create on schema ${within} to public`,
      "public-grant",
      schema,
      "revoke create",
    ],
    [
      "a confirmation before the data is safe",
      "set local synchronous_commit = off",
      "harmful-setting",
      "synchronous_commit",
      "reset synchronous_commit",
    ],
    [
      "another meaning of null",
      "set local transform_null_equals = on",
      "harmful-setting",
      "transform_null_equals",
      "reset",
    ],
  ])("refuses %s, with the remedy", async (_case, harm, kind, subject, remedy) => {
    const [failure, findings] = await after(harm, async (queries) => [
      await expectFailure(checkSchema(queries, schema)),
      await expectOk(inspectSchema(queries, schema)),
    ]);
    expect(failure).toMatchObject({ name: "database.unsuitable" });
    expect("message" in failure && failure.message).toContain(remedy);
    expect(findings).toMatchObject([{ kind, subject }]);
    expect(findings[0]?.fix).toContain(remedy);
  });

  it("accepts a disabled trigger and a disabled rule", async () => {
    const harm = `create function f() returns trigger language plpgsql as 'begin return null; end';
      create trigger lost before insert on refunds for each row execute function f();
      alter table refunds disable trigger lost;
      create rule lost as on insert to orders do instead nothing; alter table orders disable rule lost`;
    await after(harm, (queries) => expectOk(checkSchema(queries, schema)));
  });

  it.each([
    [`alter role ${role} set synchronous_commit = off`, `alter role ${role} reset synchronous_commit;`],
    [
      `alter role ${role} in database postgres set transform_null_equals = on`,
      `alter role ${role} in database postgres reset transform_null_equals;`,
    ],
    ["alter database postgres set array_nulls = off", "alter database postgres reset array_nulls;"],
  ])("names a setting of the hosts' connections: %s", async (harm, remedy) => {
    const findings = await after(harm, (queries) =>
      expectOk(inspectSchema(queries, schema, { application: role })),
    );
    expect(findings).toMatchObject([{ kind: "harmful-setting", fix: `Run: ${remedy}` }]);
  });

  it("leaves out a setting of another role", async () => {
    const harm = `create role other_${role}; alter role other_${role} set synchronous_commit = off`;
    expect(await after(harm, (queries) => expectOk(inspectSchema(queries, schema)))).toEqual([]);
  });
});

it("inspectSchema finds nothing, even if settings of the session change what the catalogue prints", async () => {
  const { schema } = await serverSchema();
  const server = new URL(inject("databaseUrl"));
  const settings = {
    quote_all_identifiers: "on",
    search_path: quoted(schema),
    DateStyle: "German",
    IntervalStyle: "iso_8601",
    bytea_output: "escape",
    standard_conforming_strings: "off",
    extra_float_digits: "-5",
    TimeZone: "Asia/Tokyo",
  };
  const options = Object.entries(settings).map(
    ([name, value]) => `-c ${name}=${value.replaceAll(" ", "\\ ")}`,
  );
  const sql = pgClient(new pg.Pool({ connectionString: server.href, options: options.join(" ") }));
  onTestFinished(() => sql.close());
  expect(await expectOk(inspectSchema(sql, schema))).toEqual([]);
});

it("pgClient replaces settings of the role that would change the meaning of statements", async () => {
  const { schema } = await serverSchema();
  const options =
    "-c transform_null_equals=on -c array_nulls=off -c standard_conforming_strings=off -c lock_timeout=1";
  const sql = pgClient(new pg.Pool({ connectionString: inject("databaseUrl"), options }));
  onTestFinished(() => sql.close());
  const settings = await sql.query(
    {
      name: "test_settings",
      text: `select current_setting('transform_null_equals') as a, current_setting('array_nulls') as b,
        current_setting('standard_conforming_strings') as c, current_setting('lock_timeout') as d`,
    },
    [],
  );
  expect(settings).toEqual([{ a: "off", b: "on", c: "on", d: "0" }]);
  await expectOk(checkSchema(sql, schema));
});
