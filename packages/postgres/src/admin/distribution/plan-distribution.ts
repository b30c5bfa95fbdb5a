import { colocationGroup, placementOf } from "../../cluster/distribution.js";
import type { FoundDistribution, FoundPlacement } from "../../cluster/read-distribution.js";
import type { SchemaFinding } from "../../rights/schema-finding.js";
import { sqlLiteral } from "../../sql/sql-literal.js";
import { TABLE_NAMES, type TableName, tablesOf } from "../../sql/tables.js";

/** One step of `distribute`. */
export interface DistributionStep {
  /**
   * The kind of the step.
   *
   * - `reference`: gives every node a copy of a table.
   * - `distribute`: distributes the rows of a table over the nodes.
   * - `clear`: deletes the rows that Citus left on the coordinator after it copied them to shards.
   * - `fill`: adds the existing orders to the table that finds the orders of a customer.
   * - `settings`: stores the server settings of the application role.
   */
  readonly action: "reference" | "distribute" | "clear" | "fill" | "settings";
  /** The name of the table. For `settings`: `coordinator` or `workers`. */
  readonly subject: string;
  /** The SQL of the step. */
  readonly sql: string;
}

/** The steps that distribute a schema, and the differences that need an operator. */
export interface DistributionPlan {
  readonly steps: readonly DistributionStep[];
  /** Tables whose distribution differs from the planned one. `distribute` does not change them. */
  readonly conflicts: readonly SchemaFinding[];
}

/** Returns how to distribute the tables of `schema` that `found` contains. */
export function planDistribution(
  found: Pick<FoundDistribution, "tables">,
  { schema, shardCount }: { readonly schema: string; readonly shardCount?: number | undefined },
): DistributionPlan {
  const present = TABLE_NAMES.flatMap((table) => {
    const placement = found.tables[table];
    return placement === undefined ? [] : [{ table, placement }];
  });
  const conflicts = present.flatMap(({ table, placement }) => conflictsOf(table, placement, found, schema));
  const blocked = new Set(conflicts.map(({ subject }) => subject));
  const steps = present
    .filter(({ table }) => !blocked.has(table))
    .flatMap(({ table, placement }) => stepsOf(table, placement, { found, schema, shardCount }));
  return { steps, conflicts };
}

interface Target {
  readonly found: Pick<FoundDistribution, "tables">;
  readonly schema: string;
  readonly shardCount: number | undefined;
}

function stepsOf(
  table: TableName,
  { kind, localBytes }: FoundPlacement,
  { found, schema, shardCount }: Target,
): readonly DistributionStep[] {
  const wanted = placementOf(table);
  if (wanted.kind === "local") return [];
  const name = sqlLiteral(tablesOf(schema)[table]);
  const clear: DistributionStep = {
    action: "clear",
    subject: table,
    sql: `select pg_catalog.truncate_local_data_after_distributing_table(${name})`,
  };
  // Citus copies the rows into shards and keeps the original rows, which no statement sees.
  if (kind !== "local") return localBytes > 0 ? [clear] : [];
  const after = localBytes > 0 ? [clear] : [];
  if (wanted.kind === "reference")
    return [
      {
        action: "reference",
        subject: table,
        sql: `select pg_catalog.create_reference_table(${name})`,
      },
      ...after,
    ];
  const partner = colocationPartner(wanted.column, table, found);
  // A table has as many shards as the tables that it is colocated with.
  const shards = shardCount === undefined || partner !== undefined ? "" : `, shard_count => ${shardCount}`;
  const colocated = partner === undefined ? "'none'" : sqlLiteral(tablesOf(schema)[partner]);
  return [
    {
      action: "distribute",
      subject: table,
      sql: `select pg_catalog.create_distributed_table(${name}, ${sqlLiteral(wanted.column)}, colocate_with => ${colocated}${shards})`,
    },
    ...after,
  ];
}

/** Returns the table to colocate `table` with. `undefined` if `table` is the first of its group. */
function colocationPartner(
  column: string,
  table: TableName,
  found: Pick<FoundDistribution, "tables">,
): TableName | undefined {
  const group = colocationGroup(column);
  const distributed = group.find((other) => found.tables[other]?.kind === "distributed");
  if (distributed !== undefined) return distributed;
  const first = group.find((other) => found.tables[other] !== undefined);
  return first === table ? undefined : first;
}

function conflictsOf(
  table: TableName,
  placement: FoundPlacement,
  found: Pick<FoundDistribution, "tables">,
  schema: string,
): readonly SchemaFinding[] {
  const { kind, column } = placement;
  const wanted = placementOf(table);
  const name = sqlLiteral(tablesOf(schema)[table]);
  if (kind === "local") return [];
  if (wanted.kind !== kind)
    return [
      {
        kind: "wrong-distribution",
        subject: table,
        message: `The table ${table} is ${KINDS[kind]} and should be ${KINDS[wanted.kind]}.`,
        fix: `At a quiet hour, run: select undistribute_table(${name}); then run \`tillkit distribute\`.`,
      },
    ];
  if (wanted.kind !== "distributed") return [];
  if (column !== wanted.column)
    return [
      {
        kind: "wrong-distribution",
        subject: table,
        message: `The table ${table} is distributed by ${column ?? "an unknown column"} and should be distributed by ${wanted.column}: most of its statements run on every node or fail.`,
        fix: `At a quiet hour, run: select undistribute_table(${name}); then run \`tillkit distribute\`.`,
      },
    ];
  const first = colocationGroup(wanted.column).find((other) => {
    const there = found.tables[other];
    return there?.kind === "distributed" && there.column === wanted.column;
  });
  if (first === undefined || found.tables[first]?.colocation === placement.colocation) return [];
  return [
    {
      kind: "wrong-colocation",
      subject: table,
      message: `The table ${table} is not colocated with ${first}, although both are distributed by ${wanted.column}: statements that use both fail.`,
      fix: `At a quiet hour, run: select alter_distributed_table(${name}, colocate_with => ${sqlLiteral(tablesOf(schema)[first])});`,
    },
  ];
}

const KINDS: Readonly<Record<FoundPlacement["kind"], string>> = {
  local: "a local table",
  reference: "a reference table",
  distributed: "a distributed table",
  other: "a table of another kind of Citus",
};
