import { randomBytes } from "node:crypto";
import { expectFailure, expectOk } from "@tillkit/contract-tests";
import pg from "pg";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { distribute, type DistributionProgress } from "./distribute.js";
import { DISTRIBUTION_COLUMNS, LOCAL_TABLES } from "../../cluster/distribution.js";
import { inspectSchema } from "../inspect-schema.js";
import { migrate } from "../migrate.js";
import { toMigration } from "../migration.js";
import { MIGRATIONS } from "../migrations.js";
import { pgClient } from "../../client/pg-client.js";
import { integer, text } from "../../sql/row.js";
import type { SqlClient } from "../../sql/sql-client.js";
import { statement } from "../../sql/statement.js";
import { quoted, TABLE_NAMES, tablesOf } from "../../sql/tables.js";
import { freshSchema } from "../../testing/databases.js";

const application = `till_app_${randomBytes(6).toString("hex")}`;
let sql: SqlClient;
beforeAll(async () => {
  const connectionString = process.env["TEST_CITUS_URL"];
  sql = pgClient(new pg.Pool({ connectionString, max: 4 }), { statementMs: 60_000 });
  await sql.script(`create role ${quoted(application)} login`);
});
afterAll(async () => {
  await sql.script(`drop owned by ${quoted(application)}`);
  await sql.script(`drop role ${quoted(application)}`);
  await sql.close();
});

describe("distribute", () => {
  let schema: string;
  beforeEach(async () => {
    schema = freshSchema();
    await expectOk(migrate({ sql, schema, application }));
    return () => sql.script(`drop schema ${quoted(schema)} cascade`);
  });

  const inspect = async () =>
    (await expectOk(inspectSchema(sql, schema, { application }))).map(
      ({ kind, subject }) => `${kind} ${subject}`,
    );
  const run = (options: Partial<Parameters<typeof distribute>[0]> = {}) =>
    distribute({ sql, schema, application, shardCount: 4, ...options });
  const addRows = (count: number) =>
    sql.script(`insert into ${tablesOf(schema).quotas} (subject, scope, day, used)
      select 's' || n, 'sms', '2026-01-01', 1 from generate_series(1, ${count}) n`);
  const spread = TABLE_NAMES.filter((table) => !LOCAL_TABLES.includes(table));

  it("distributes every table with its rows, and the settings, and finds nothing to do afterwards", async () => {
    await addRows(1_000);
    expect(await inspect()).toEqual(
      expect.arrayContaining(spread.map((table) => `not-distributed ${table}`)),
    );
    const planned = await expectOk(run({ dryRun: true }));
    expect(await inspect()).toHaveLength(spread.length + (await nodesWithoutSettings()));
    const seen: DistributionProgress[] = [];
    const { steps } = await expectOk(run({ onProgress: (progress) => seen.push(progress) }));
    expect(steps).toEqual(planned.steps);
    expect(seen.map(({ step }) => step)).toEqual(steps);
    expect(seen.map(({ done }) => done)).toEqual(steps.map((_step, index) => index));
    expect(steps.map(({ subject, action }) => `${action} ${subject}`)).toContain("clear quotas");
    expect(await inspect()).toEqual([]);
    expect((await expectOk(run())).steps).toEqual([]);
    const { quotas } = tablesOf(schema);
    const count = statement("test_count", `select count(*) as rows from ${quotas}`);
    expect((await sql.query(count, [])).map((row) => integer(row, "rows"))).toEqual([1_000]);
    expect(await groups()).toEqual(expectedGroups());
  });

  const nodesWithoutSettings = async () =>
    (await inspect()).filter((finding) => finding.startsWith("missing-setting")).length;

  /** Returns the tables of each colocation group, sorted. */
  const groups = async () => {
    const found = statement(
      "test_groups",
      `select string_agg(c.relname, ',' order by c.relname) as tables from pg_dist_partition p
       join pg_class c on c.oid = p.logicalrelid join pg_namespace n on n.oid = c.relnamespace
       where n.nspname = $1 group by p.colocationid`,
    );
    return (await sql.query(found, [schema])).map((row) => text(row, "tables")).toSorted();
  };
  const expectedGroups = () =>
    [...new Set(Object.values(DISTRIBUTION_COLUMNS))]
      .map((column) =>
        spread
          .filter((table) => DISTRIBUTION_COLUMNS[table] === column)
          .toSorted()
          .join(),
      )
      .toSorted();

  it("continues after an interruption, tried at every fifth step", async () => {
    const { steps } = await expectOk(run({ dryRun: true }));
    const died = new Error("died");
    for (const { subject } of steps.filter((_step, index) => index % 5 === 1)) {
      const stops = run({
        onProgress: ({ step }) => {
          if (step.subject === subject) throw died;
        },
      });
      expect(await expectFailure(stops)).toMatchObject({ name: "storage.unavailable", cause: died });
    }
    await expectOk(run());
    expect(await inspect()).toEqual([]);
    expect(await groups()).toEqual(expectedGroups());
  });

  it("distributes each table once if two runs work concurrently", async () => {
    await Promise.all([expectOk(run()), expectOk(run())]);
    expect(await inspect()).toEqual([]);
  });

  it("runs later migrations, and distributes a table that a later migration added", async () => {
    await expectOk(run());
    // This table stands for a table that a later version adds.
    await sql.script(`drop table ${tablesOf(schema).refunds}`);
    const refunds = MIGRATIONS[0]?.sql.match(/create table refunds \([^;]*;/)?.[0] ?? "";
    const later = toMigration(
      "9001-later",
      `${refunds} alter table orders add column later text; comment on column orders.later is 'It''s; later';
       update orders set later = 'x'; create index later on orders (later); alter table apps add column later int default 1`,
    );
    const migrations = [...MIGRATIONS, later];
    expect(await expectOk(migrate({ sql, schema, migrations, application }))).toEqual([later.name]);
    expect(await inspect()).toContain("not-distributed refunds");
    const { steps } = await expectOk(run());
    expect(steps.map(({ subject }) => subject)).toEqual(["refunds"]);
    expect(await groups()).toEqual(expectedGroups());
  });

  it("keeps nothing of a failed migration of distributed tables", async () => {
    await expectOk(run());
    const broken = toMigration("9001-broken", "alter table orders add column later text; create nonsense");
    await expectFailure(migrate({ sql, schema, migrations: [...MIGRATIONS, broken] }));
    expect(await inspect()).toEqual([]);
  });

  it("finds tables that are distributed in another way, and moves no table", async () => {
    const { orders, timeline, apps } = tablesOf(schema);
    await sql.script(`select create_distributed_table('${orders}', 'app_id', colocate_with => 'none')`);
    await sql.script(`select create_distributed_table('${timeline}', 'biz_no', colocate_with => 'none')`);
    await sql.script(`select create_distributed_table('${apps}', 'app_id', colocate_with => 'none')`);
    expect(await inspect()).toEqual(
      expect.arrayContaining(["wrong-distribution orders", "wrong-distribution apps"]),
    );
    const failure = await expectFailure(run());
    expect(failure).toMatchObject({ name: "distribution.conflict" });
    expect("message" in failure ? failure.message : "").toMatch(
      /apps is a distributed table.*orders is distributed by app_id/,
    );
    expect(await inspect()).toContain("not-distributed refunds");
  });

  it("finds tables with the same distribution column that are not colocated", async () => {
    await expectOk(run());
    const { refunds } = tablesOf(schema);
    await sql.script(`select undistribute_table('${refunds}')`);
    await sql.script(`select create_distributed_table('${refunds}', 'biz_no', colocate_with => 'none')`);
    expect(await inspect()).toEqual(["wrong-colocation refunds"]);
    const [finding] = await expectOk(inspectSchema(sql, schema));
    await sql.script(/select .*;/.exec(finding?.fix ?? "")?.[0] ?? "");
    expect(await inspect()).toEqual([]);
  });

  it("finds a setting that is missing on the workers, and restores it", async () => {
    await expectOk(run());
    const command = statement(
      "test_reset",
      `select success from run_command_on_workers(format($$do %L$$, format(
         'begin set local citus.enable_ddl_propagation = off; alter role %I in database %I reset enable_seqscan; end',
         $1::text, current_database())))`,
    );
    const workers = await sql.query(command, [application]);
    const found = await inspect();
    expect(found).toHaveLength(workers.length);
    for (const finding of found) expect(finding).toMatch(/^missing-setting .*:\d+$/);
    expect((await expectOk(run())).steps.map(({ subject }) => subject)).toEqual(["workers"]);
    expect(await inspect()).toEqual([]);
  });

  it("fails without the role, and for a schema without migrations", async () => {
    expect(await expectFailure(run({ application: "no such role" }))).toMatchObject({
      name: "distribution.missing-role",
    });
    expect(await expectFailure(run({ schema: freshSchema() }))).toMatchObject({
      name: "schema.not-migrated",
    });
  });
});
