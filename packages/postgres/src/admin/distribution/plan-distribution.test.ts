import { describe, expect, it } from "vitest";
import { DISTRIBUTION_COLUMNS, LOCAL_TABLES } from "../../cluster/distribution.js";
import { planDistribution } from "./plan-distribution.js";
import type { FoundPlacement } from "../../cluster/read-distribution.js";
import { TABLE_NAMES, type TableName } from "../../sql/tables.js";

const LOCAL: FoundPlacement = { kind: "local", colocation: 0, localBytes: 0 };
const NEW = Object.fromEntries(TABLE_NAMES.map((table) => [table, LOCAL]));

/** The tables as `distribute` leaves them. */
const DISTRIBUTED = Object.fromEntries(
  TABLE_NAMES.map((table): readonly [TableName, FoundPlacement] => {
    const column = DISTRIBUTION_COLUMNS[table];
    if (LOCAL_TABLES.includes(table)) return [table, LOCAL];
    if (column === null) return [table, { kind: "reference", colocation: 1, localBytes: 0 }];
    const columns = [...new Set(Object.values(DISTRIBUTION_COLUMNS))];
    return [table, { kind: "distributed", column, colocation: 2 + columns.indexOf(column), localBytes: 0 }];
  }),
);

const plan = (tables: Readonly<Record<string, FoundPlacement>>, shardCount?: number) =>
  planDistribution({ tables }, { schema: "it's", shardCount });
const stepsOf = (tables: Readonly<Record<string, FoundPlacement>>) =>
  plan(tables).steps.map(({ action, subject }) => `${action} ${subject}`);

describe("planDistribution", () => {
  it("plans one step for each table of a new schema, except local tables", () => {
    const { steps, conflicts } = plan(NEW);
    expect(conflicts).toEqual([]);
    expect(steps.map(({ subject }) => subject)).toEqual(
      TABLE_NAMES.filter((table) => !LOCAL_TABLES.includes(table)),
    );
    for (const { action, subject } of steps) {
      const column = Object.entries(DISTRIBUTION_COLUMNS).find(([table]) => table === subject)?.[1];
      expect(action, subject).toBe(column === null ? "reference" : "distribute");
    }
  });

  it("colocates the tables of a distribution column with the first of them", () => {
    const sqlOf = (subject: TableName) => plan(NEW).steps.find((step) => step.subject === subject)?.sql;
    expect(sqlOf("orders")).toBe(
      `select pg_catalog.create_distributed_table('"it''s".orders', 'biz_no', colocate_with => 'none')`,
    );
    expect(sqlOf("refunds")).toBe(
      `select pg_catalog.create_distributed_table('"it''s".refunds', 'biz_no', colocate_with => '"it''s".orders')`,
    );
    expect(sqlOf("apps")).toBe(`select pg_catalog.create_reference_table('"it''s".apps')`);
  });

  it("gives the number of shards to the first table of each group only", () => {
    const counted = plan(NEW, 7).steps.filter(({ sql }) => sql.includes("shard_count => 7"));
    const distributed = plan(NEW, 7).steps.filter(({ action }) => action === "distribute");
    const groups = new Set(Object.values(DISTRIBUTION_COLUMNS).filter((column) => column !== null));
    expect(counted).toHaveLength(groups.size);
    for (const { sql } of distributed)
      expect(sql.includes("shard_count")).toBe(sql.includes("colocate_with => 'none'"));
  });

  it("plans nothing for a distributed schema", () => {
    expect(plan(DISTRIBUTED)).toEqual({ steps: [], conflicts: [] });
  });

  it.each([
    ["a later member of a group", "timeline", `colocate_with => '"it''s".orders'`],
    ["the first member of a group", "orders", `colocate_with => '"it''s".timeline'`],
    ["the only member of a group", "downloads", "colocate_with => 'none'"],
  ] as const)("distributes only %s if the others are distributed", (_name, table, sql) => {
    const { steps } = plan({ ...DISTRIBUTED, [table]: LOCAL }, 4);
    expect(steps.map(({ action, subject }) => `${action} ${subject}`)).toEqual([`distribute ${table}`]);
    expect(steps[0]?.sql).toContain(sql);
  });

  it("clears the rows that a table keeps on the coordinator, also after an interruption", () => {
    expect(stepsOf({ ...DISTRIBUTED, orders: { ...LOCAL, localBytes: 8192 } })).toEqual([
      "distribute orders",
      "clear orders",
    ]);
    expect(stepsOf({ ...DISTRIBUTED, apps: { ...LOCAL, localBytes: 8192 } })).toEqual([
      "reference apps",
      "clear apps",
    ]);
    const placed = DISTRIBUTED["orders"] ?? LOCAL;
    expect(stepsOf({ ...DISTRIBUTED, orders: { ...placed, localBytes: 8192 } })).toEqual(["clear orders"]);
    expect(stepsOf({ ...DISTRIBUTED, schema_migrations: { ...LOCAL, localBytes: 8192 } })).toEqual([]);
  });

  it("ignores missing tables and tables of other programs", () => {
    expect(stepsOf({ mine: LOCAL, timeline: LOCAL, refunds: LOCAL })).toEqual([
      "distribute timeline",
      "distribute refunds",
    ]);
  });

  const placed = DISTRIBUTED["refunds"] ?? LOCAL;
  it.each([
    ["distributed by another column", "refunds", { ...placed, column: "app_id" }, "wrong-distribution"],
    ["a reference table", "refunds", { ...placed, kind: "reference" as const }, "wrong-distribution"],
    ["distributed", "apps", placed, "wrong-distribution"],
    ["not local", "schema_migrations", placed, "wrong-distribution"],
    ["of another kind", "refunds", { ...placed, kind: "other" as const }, "wrong-distribution"],
    ["in another colocation group", "refunds", { ...placed, colocation: 99 }, "wrong-colocation"],
  ])("reports a table that is wrongly %s, and does not move it", (_name, subject, wrong, kind) => {
    const { steps, conflicts } = plan({ ...DISTRIBUTED, [subject]: wrong });
    expect(steps).toEqual([]);
    expect(conflicts).toMatchObject([{ kind, subject }]);
    expect(conflicts[0]?.fix).toContain(`'"it''s".${subject}'`);
  });
});
