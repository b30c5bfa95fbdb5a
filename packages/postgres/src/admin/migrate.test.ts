import { randomBytes } from "node:crypto";
import { setTimeout as pause } from "node:timers/promises";
import { expectFailure, expectOk, manyCases } from "@tillkit/contract-tests";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { migrate } from "./migrate.js";
import { toMigration } from "./migration.js";
import { migrationLock } from "./migration-lock.js";
import { MIGRATIONS } from "./migrations.js";
import { integer, text } from "../sql/row.js";
import { checkSchema } from "./schema-state.js";
import type { SqlClient } from "../sql/sql-client.js";
import { statement } from "../sql/statement.js";
import { quoted, tablesOf } from "../sql/tables.js";
import { untilLockWaiters } from "../testing/blocked-statement.js";
import { embeddedClient, freshSchema, serverClient } from "../testing/databases.js";
import type { LockWait } from "./with-lock-retries.js";

const HARMLESS = toMigration("9001-a-later-column", "alter table apps add column later text");
const BREAKING = toMigration(
  "9002-another-shape",
  "-- breaking\nalter table apps rename column name to label",
);

const databases = [
  ...(manyCases() ? [["PGlite", embeddedClient] as const] : []),
  ["PostgreSQL", async () => serverClient({ max: 12 })],
] as const;

describe.each(databases)("migrate: %s", (_, open) => {
  let sql: SqlClient;
  const made: string[] = [];
  const fresh = (): string => {
    const schema = freshSchema();
    made.push(schema);
    return schema;
  };
  beforeAll(async () => {
    sql = await open();
  });
  afterAll(async () => {
    for (const schema of made) await sql.script(`drop schema if exists ${quoted(schema)} cascade`);
    await sql.close();
  });

  it("applies every migration in order, once", async () => {
    const schema = fresh();
    const names = MIGRATIONS.map(({ name }) => name);
    expect(names.length).toBeGreaterThan(0);
    expect(await expectOk(migrate({ sql, schema }))).toEqual(names);
    expect(await expectOk(migrate({ sql, schema }))).toEqual([]);
    expect(await expectOk(checkSchema(sql, schema))).toEqual({ applied: names, pending: [] });
  });

  it("applies each migration once when ten runs start concurrently", async () => {
    const schema = fresh();
    const answers = await Promise.all(Array.from({ length: 10 }, () => expectOk(migrate({ sql, schema }))));
    const names = MIGRATIONS.map(({ name }) => name);
    expect(answers.filter((applied) => applied.length > 0)).toEqual([names]);
  });

  it("applies only the migrations that the schema lacks, in order", async () => {
    const schema = fresh();
    await expectOk(migrate({ sql, schema }));
    const migrations = [...MIGRATIONS, HARMLESS, BREAKING];
    expect(await expectOk(migrate({ sql, schema, migrations }))).toEqual([HARMLESS.name, BREAKING.name]);
    expect(await expectOk(migrate({ sql, schema, migrations }))).toEqual([]);
  });

  it("keeps nothing of a run with a failed migration, and names that migration", async () => {
    const schema = fresh();
    const migrations = [
      ...MIGRATIONS,
      toMigration("9000-broken", "select ';'; create -- x\n nonsense"),
      HARMLESS,
    ];
    const failure = await expectFailure(migrate({ sql, schema, migrations }));
    expect(failure).toMatchObject({ name: "storage.unavailable" });
    expect("cause" in failure ? String(failure.cause) : "").toMatch(
      /9000-broken failed at statement 2 \(create nonsense\): .*nonsense/,
    );
    expect(await expectFailure(checkSchema(sql, schema))).toMatchObject({
      name: "schema.not-migrated",
      missing: MIGRATIONS.map(({ name }) => name),
    });
    expect(await expectOk(migrate({ sql, schema }))).toHaveLength(MIGRATIONS.length);
  });

  it("rejects a schema with a newer breaking migration, in one line, and changes nothing", async () => {
    const schema = fresh();
    const migrations = [...MIGRATIONS, HARMLESS, BREAKING];
    await expectOk(migrate({ sql, schema, migrations }));
    for (const failure of [
      await expectFailure(checkSchema(sql, schema)),
      await expectFailure(migrate({ sql, schema })),
    ]) {
      expect(failure).toMatchObject({ name: "schema.too-new", migration: BREAKING.name });
      const message = "message" in failure ? failure.message : "";
      expect(message).toMatch(/9002-another-shape.*upgrade/);
      expect(message).not.toContain("\n");
    }
  });

  it("works with a newer schema whose changes are not breaking", async () => {
    const schema = fresh();
    const migrations = [...MIGRATIONS, HARMLESS];
    await expectOk(migrate({ sql, schema, migrations }));
    expect(await expectOk(migrate({ sql, schema }))).toEqual([]);
    expect((await expectOk(checkSchema(sql, schema))).applied).toContain(HARMLESS.name);
  });

  it("rejects a migration that was edited after it was applied", async () => {
    const schema = fresh();
    await expectOk(migrate({ sql, schema, migrations: [...MIGRATIONS, HARMLESS] }));
    const edited = toMigration("9001-a-later-column", "alter table apps add column later int");
    const again = migrate({ sql, schema, migrations: [...MIGRATIONS, edited] });
    expect(await expectFailure(again)).toMatchObject({ name: "schema.altered", migration: HARMLESS.name });
  });
});

it("migrate keeps nothing of a run whose connection is lost between two migrations, and blocks no other run", async () => {
  const { sql, schema } = emptySchema();
  const dies = toMigration("9000-ends", "select pg_terminate_backend(pg_backend_pid())");
  const failure = await expectFailure(migrate({ sql, schema, migrations: [...MIGRATIONS, dies] }));
  expect(failure).toMatchObject({ name: "storage.unavailable" });
  expect(await expectOk(migrate({ sql, schema }))).toEqual(MIGRATIONS.map(({ name }) => name));
});

describe("migrate: locks", () => {
  const changesOrders = toMigration("9000-orders", "alter table orders add column later text");
  const migrations = [...MIGRATIONS, changesOrders];

  it("lets other statements run while a transaction holds a lock, and migrates when it ends", async () => {
    const { sql, schema } = emptySchema();
    await expectOk(migrate({ sql, schema }));
    const { orders } = tablesOf(schema);
    const count = statement("test_count_orders", `select count(*) as rows from ${orders}`);
    const waits: LockWait[] = [];
    const read: unknown[] = [];
    const { running } = await sql.transaction(async (holder) => {
      await holder.query(count, []);
      let running = Promise.resolve<readonly string[]>([]);
      await new Promise<void>((twice) => {
        const onLockWait = (wait: LockWait) => {
          waits.push(wait);
          // The migration does not hold the table or wait for it now.
          read.push(sql.query(count, []));
          if (waits.length === 2) twice();
        };
        running = expectOk(migrate({ sql, schema, migrations, lockTimeoutMs: 20, onLockWait }));
      });
      return { running };
    });
    expect(await running).toEqual([changesOrders.name]);
    expect(await Promise.all(read)).toHaveLength(waits.length);
    expect(waits.map(({ attempt }) => attempt).slice(0, 2)).toEqual([1, 2]);
    expect(waits[0]?.reason).toMatch(/9000-orders failed at statement 1 \(alter table orders .*lock timeout/);
  });

  it("fails if a transaction holds a lock for too long, and changes nothing", async () => {
    const { sql, schema } = emptySchema();
    await expectOk(migrate({ sql, schema }));
    const lock = `lock table ${tablesOf(schema).orders} in access share mode`;
    const failure = await sql.transaction(async (holder) => {
      await holder.script(lock);
      return expectFailure(migrate({ sql, schema, migrations, lockTimeoutMs: 20, maxLockWaitMs: 100 }));
    });
    expect(failure.name).toBe("schema.locked");
    const message = "message" in failure ? failure.message : "";
    expect(message).toMatch(/other transactions held a lock during \d+ attempts in \d+ ms.*9000-orders/);
    expect(message).not.toContain("\n");
    expect((await expectOk(checkSchema(sql, schema))).applied).not.toContain(changesOrders.name);
  });

  it("waits for another migration without a limit", async () => {
    const { sql, schema } = emptySchema();
    const first = await sql.transaction(async (holder) => {
      await migrationLock(holder, schema);
      const waiting = expectOk(migrate({ sql, schema, lockTimeoutMs: 100, maxLockWaitMs: 0 }));
      await untilLockWaiters(sql, "pg_advisory_xact_lock", 1);
      await pause(300);
      return { waiting };
    });
    expect(await first.waiting).toHaveLength(MIGRATIONS.length);
  });

  it.each([0, 1.5, -1])("rejects a lock timeout of %d ms", async (lockTimeoutMs) => {
    const { sql, schema } = emptySchema();
    const failure = await expectFailure(migrate({ sql, schema, lockTimeoutMs }));
    expect("cause" in failure ? String(failure.cause) : "").toContain("lockTimeoutMs");
  });
});

describe("migrate: roles", () => {
  const suffix = randomBytes(6).toString("hex");
  const [owner, application] = [`till_owner_${suffix}`, `till_app_${suffix}`];
  const schema = freshSchema();
  let admin: SqlClient;
  let app: SqlClient;
  beforeAll(async () => {
    admin = serverClient({ max: 1 });
    await admin.script(`create role ${owner}; create role ${application} login password '${application}'`);
    await expectOk(migrate({ sql: admin, schema, owner, application }));
    app = serverClient({ user: application, max: 1 });
  });
  afterAll(async () => {
    await app.close();
    await admin.script(`drop schema ${quoted(schema)} cascade; drop role ${application}; drop role ${owner}`);
    await admin.close();
  });

  it("create everything as the owner", async () => {
    const owners = statement(
      "test_owners",
      "select distinct tableowner::text as owner from pg_tables where schemaname = $1",
    );
    expect((await admin.query(owners, [schema])).map((row) => text(row, "owner"))).toEqual([owner]);
  });

  it("do not let the application change tables, timelines, the audit log or migrations", async () => {
    const { orders, timeline, audit_log: log, schema_migrations: migrations } = tablesOf(schema);
    for (const attempt of [
      `create table ${quoted(schema)}.mine (id int)`,
      `alter table ${orders} add column mine text`,
      `drop table ${orders}`,
      `truncate ${orders}`,
      `delete from ${orders}`,
      `update ${timeline} set details = ''`,
      `update ${timeline} set reason_digest = ''`,
      `update ${timeline} set hash = ''`,
      `delete from ${timeline}`,
      `update ${log} set reason = ''`,
      `delete from ${log}`,
      `truncate ${log}`,
      `delete from ${migrations}`,
    ]) {
      await expect(app.script(attempt), attempt).rejects.toThrow(/permission denied|must be owner/);
    }
    const count = statement("test_count", `select count(*) as rows from ${timeline}`);
    expect((await app.query(count, [])).map((row) => integer(row, "rows"))).toEqual([0]);
  });

  it("let the application check the schema, and call migrate if there is nothing to do", async () => {
    expect((await expectOk(checkSchema(app, schema))).pending).toEqual([]);
    expect(await expectOk(migrate({ sql: app, schema }))).toEqual([]);
  });

  it("name the remedy if the application may not migrate", async () => {
    const migrations = [...MIGRATIONS, HARMLESS];
    for (const refused of [
      migrate({ sql: app, schema, migrations }),
      migrate({ sql: app, schema: freshSchema() }),
    ]) {
      const failure = await expectFailure(refused);
      expect(failure.name).toBe("storage.misconfigured");
      expect("cause" in failure ? String(failure.cause) : "").toContain("permission denied");
      expect("remedy" in failure ? failure.remedy : "").toContain("with the role that owns the tables");
    }
  });
});

/** Returns the name of an unused schema on the server. The schema is dropped after the test. */
function emptySchema() {
  const sql = serverClient();
  const schema = freshSchema();
  onTestFinished(async () => {
    await sql.script(`drop schema if exists ${quoted(schema)} cascade`);
    await sql.close();
  });
  return { sql, schema };
}
