import { randomBytes } from "node:crypto";
import { expectOk } from "@tillkit/contract-tests";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { inspectSchema } from "./inspect-schema.js";
import { migrate } from "./migrate.js";
import { toMigration } from "./migration.js";
import { MIGRATIONS } from "./migrations.js";
import type { SqlClient } from "../sql/sql-client.js";
import { quoted } from "../sql/tables.js";
import { embeddedClient, freshSchema, serverClient } from "../testing/databases.js";

const databases = [
  ["PGlite", embeddedClient],
  ["PostgreSQL", async () => serverClient({ max: 2 })],
] as const;

describe.each(databases)("inspectSchema: %s", (_, open) => {
  const role = `till_app_${randomBytes(6).toString("hex")}`;
  const schema = freshSchema();
  const within = quoted(schema);
  let sql: SqlClient;
  beforeAll(async () => {
    sql = await open();
    await sql.script(`create role ${role}`);
    await expectOk(migrate({ sql, schema, application: role }));
  });
  afterAll(async () => {
    await sql.script(`drop owned by ${role} cascade; drop schema ${within} cascade; drop role ${role}`);
    await sql.close();
  });

  const inspect = async (application = role) =>
    (await expectOk(inspectSchema(sql, schema, { application }))).map(({ kind, subject }) => [kind, subject]);
  /** Returns the findings after `harm`, and then rolls `harm` back. */
  const foundAfter = async (harm: string, application?: string): Promise<readonly string[][]> => {
    let found: readonly string[][] = [];
    const undone = new Error("undone");
    const harmed = sql.transaction(async (transaction) => {
      await transaction.script(`set local search_path to ${within}; ${harm}`);
      const findings = await expectOk(
        inspectSchema(transaction, schema, { application: application ?? role }),
      );
      for (const { message, fix } of findings) expect(`${message}${fix}`).not.toContain("\n");
      found = findings.map(({ kind, subject }) => [kind, subject]);
      throw undone;
    });
    await expect(harmed).rejects.toBe(undone);
    return found;
  };

  it("finds nothing in a newly migrated schema", async () => {
    expect(await inspect()).toEqual([]);
  });

  it("reports every migration as missing if there is no schema", async () => {
    const names = MIGRATIONS.map(({ name }) => name);
    const findings = await expectOk(inspectSchema(sql, freshSchema()));
    expect(findings.map(({ kind, subject }) => [kind, subject])).toEqual(
      names.map((name) => ["not-migrated", name]),
    );
  });

  it.each([
    ["an edited migration", "update schema_migrations set checksum = 'x' where version = 1", "altered"],
    [
      "a breaking newer migration",
      "insert into schema_migrations values (9000, '9000-later', 'x', true)",
      "too-new",
    ],
    ["a newer migration", "insert into schema_migrations values (9000, '9000-later', 'x', false)", "newer"],
    ["a migration that was not applied", "delete from schema_migrations where version = 1", "not-migrated"],
  ])("finds %s", async (_name, harm, kind) => {
    expect((await foundAfter(harm)).map(([found]) => found)).toEqual([kind]);
  });

  it.each([
    ["a missing table", "drop table refunds", [["missing-table", "refunds"]]],
    [
      "an unknown table",
      `create table mine (id int); revoke all on mine from public`,
      [["unknown-table", "mine"]],
    ],
    ["a missing column", "alter table orders drop source_from", [["missing-column", "orders.source_from"]]],
    [
      "another type",
      "alter table orders alter amount_cents type numeric",
      [["changed-column", "orders.amount_cents"]],
    ],
    [
      "a column that may be null",
      "alter table orders alter pay_source drop not null",
      [["changed-column", "orders.pay_source"]],
    ],
    ["another default", "alter table quotas alter used set default 1", [["changed-column", "quotas.used"]]],
    [
      "another collation",
      `alter table timeline alter type type text collate "C"`,
      [["changed-column", "timeline.type"]],
    ],
    ["an unknown column", "alter table orders add mine text", [["unknown-column", "orders.mine"]]],
    ["a missing index", "drop index orders_due", [["missing-index", "orders_due"]]],
    [
      "an index over other columns",
      "drop index orders_id; create index orders_id on orders (id, app_id)",
      [["changed-index", "orders_id"]],
    ],
    ["an unknown index", "create index mine on orders (notify_url)", [["unknown-index", "mine"]]],
    [
      "an index whose creation was interrupted",
      "update pg_index set indisvalid = false where indexrelid = 'orders_id'::regclass",
      [["invalid-index", "orders_id"]],
    ],
    [
      "a missing primary key",
      "alter table sessions drop constraint sessions_pkey",
      [["missing-constraint", "sessions_pkey"]],
    ],
    [
      "another primary key",
      "alter table sessions drop constraint sessions_pkey; alter table sessions add constraint sessions_pkey primary key (token_hash, app_id, customer_id)",
      [["changed-constraint", "sessions_pkey"]],
    ],
    [
      "an unknown constraint",
      "alter table orders add constraint mine unique (biz_no, app_id, id)",
      [["unknown-constraint", "mine"]],
    ],
  ])("finds %s", async (_name, harm, findings) => {
    expect(await foundAfter(harm)).toEqual(findings);
  });

  it("does not report what a newer version created", async () => {
    const newer = `insert into schema_migrations values (9000, '9000-later', 'x', false);
      alter table apps add later text; create index later on apps (name); drop index orders_due`;
    expect(await foundAfter(newer)).toEqual([
      ["newer", "9000-later"],
      ["missing-index", "orders_due"],
    ]);
  });

  it.each([
    ["a revoked read privilege", `revoke select on orders from ${role}`, [["missing-grant", "orders"]]],
    [
      "no usage privilege on the schema",
      `revoke usage on schema ${within} from ${role}`,
      [["missing-grant", schema]],
    ],
    [
      "a delete privilege on the timeline",
      `grant delete on timeline to ${role}`,
      [["excess-grant", "timeline"]],
    ],
    [
      "an update privilege on a column",
      `grant update (hash) on timeline to ${role}`,
      [["excess-grant", "timeline"]],
    ],
    [
      "a missing privilege on a column",
      `revoke update (reason) on timeline from ${role}`,
      [["missing-grant", "timeline"]],
    ],
    ["a truncate privilege on a table", `grant truncate on orders to ${role}`, [["excess-grant", "orders"]]],
    [
      "privileges granted to public",
      "grant delete on timeline to public",
      [
        ["public-grant", "timeline"],
        ["excess-grant", "timeline"],
      ],
    ],
    [
      "a create privilege on the schema",
      `grant create on schema ${within} to ${role}`,
      [["excess-grant", schema]],
    ],
    ["a table that the role owns", `alter table downloads owner to ${role}`, [["excess-grant", "downloads"]]],
    ["a superuser", `alter role ${role} superuser`, [["excess-grant", role]]],
  ])("finds %s", async (_name, harm, findings) => {
    expect(await foundAfter(harm)).toEqual(findings);
  });

  it("reports a missing role", async () => {
    expect(await inspect("no such role")).toEqual([["missing-role", "no such role"]]);
  });

  it("returns statements that repair every repairable difference", async () => {
    const before = await inspect();
    await sql.script(
      `drop index ${within}.orders_due; revoke insert on ${within}.timeline from ${role}; grant delete on ${within}.timeline to ${role};
       create index mine on ${within}.orders (notify_url)`,
    );
    for (const { fix } of await expectOk(inspectSchema(sql, schema, { application: role }))) {
      const [statement] = /(create|drop|grant|revoke) .*?;/.exec(fix) ?? [""];
      await sql.script(statement);
    }
    expect(await inspect()).toEqual(before);
  });

  it("reports that the role may not read the schema", async () => {
    const stranger = `till_stranger_${randomBytes(6).toString("hex")}`;
    expect(await foundAfter(`create role ${stranger}; set local role ${stranger}`)).toEqual([
      ["missing-grant", "schema_migrations"],
    ]);
  });

  it("reports only a newer migration that added a column, not the column", async () => {
    const later = toMigration("9001-a-later-column", "alter table apps add column later text");
    const own = freshSchema();
    await expectOk(migrate({ sql, schema: own, migrations: [...MIGRATIONS, later] }));
    const findings = await expectOk(inspectSchema(sql, own));
    expect(findings.map(({ kind }) => kind)).toEqual(["newer"]);
    await sql.script(`drop schema ${quoted(own)} cascade`);
  });
});
