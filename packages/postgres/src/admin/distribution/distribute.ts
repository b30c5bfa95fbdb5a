import type { StorageFailure } from "@tillkit/core/errors";
import { err, ok, type Result, type ResultAsync } from "neverthrow";
import { plannedFill } from "./fill-customer-orders.js";
import { removeTimeouts } from "../remove-timeouts.js";
import { migrationLock } from "../migration-lock.js";
import { readNodeSettings, settingsSteps } from "./node-settings.js";
import { type DistributionPlan, type DistributionStep, planDistribution } from "./plan-distribution.js";
import { readDistribution } from "../../cluster/read-distribution.js";
import { booleanValue, text } from "../../sql/row.js";
import { readSchemaState, type SchemaFailure } from "../schema-state.js";
import type { SqlClient, SqlQueries } from "../../sql/sql-client.js";
import { statement } from "../../sql/statement.js";
import { toStorageResult } from "../../client/to-storage-result.js";

/** The options of {@link distribute}. */
export interface DistributeOptions {
  /** A client of the coordinator, as the owner of the tables. */
  readonly sql: SqlClient;
  /** The schema of the tables. Must have every migration of this version. */
  readonly schema: string;
  /**
   * The database role of the hosts.
   *
   * Every node stores the server settings of this role. The role of `sql` must be allowed to alter
   * it. Without this option, no setting is stored.
   */
  readonly application?: string;
  /**
   * The number of shards of each colocation group. Defaults to `citus.shard_count` of the server.
   *
   * If a group already has a distributed table, its other tables get the same number of shards.
   */
  readonly shardCount?: number;
  /** Returns the steps without running them. */
  readonly dryRun?: boolean;
  /** Receives each step before it runs. Must not throw. */
  readonly onProgress?: (progress: DistributionProgress) => void;
}

/** The progress of {@link distribute}. */
export interface DistributionProgress {
  /** The step that runs next. */
  readonly step: DistributionStep;
  /** The number of finished steps. */
  readonly done: number;
  /** The number of all steps that are known now. */
  readonly total: number;
}

/** The result of {@link distribute}. */
export interface Distribution {
  /** The steps that ran, in order, or that would run. Empty if no step was left. */
  readonly steps: readonly DistributionStep[];
}

/** The reason why a schema cannot be distributed. `message` is one line for the operator. */
export interface DistributionFailure {
  readonly name:
    | "distribution.no-extension"
    | "distribution.not-coordinator"
    | "distribution.missing-role"
    | "distribution.conflict";
  readonly message: string;
}

/**
 * Distributes the tables of a schema over the nodes of a Citus cluster.
 *
 * Turns small tables into reference tables, and distributes the others by `DISTRIBUTION_COLUMNS`.
 * Tables with the same distribution column are colocated. A step moves the rows of its table.
 * Writers of the table wait until the step has finished.
 *
 * Then adds the existing orders to `customer_orders`. Stop the hosts before the first call, because
 * a host reads only once, before its first statement, whether the tables are distributed.
 *
 * Each step is a transaction. A repeated call continues after an interruption, and distributes the
 * tables of later migrations. Concurrent calls are safe. Never moves a distributed table.
 *
 * Fails with:
 *
 * - `distribution.no-extension` if the database lacks the extension citus;
 * - `distribution.not-coordinator` if the connection leads to a worker;
 * - `distribution.missing-role` if a node lacks the role `application`;
 * - `distribution.conflict` if a table is distributed in another way;
 * - `schema.not-migrated`, `schema.too-new` or `schema.altered`, like `checkSchema`.
 *
 * @returns the steps that ran, or that would run with `dryRun`.
 * @example
 * ```ts
 * import { distribute } from "@tillkit/postgres";
 *
 * const done = await distribute({ sql, schema: "tillkit", application: "tillkit_app" });
 * if (done.isErr()) throw new Error(done.error.name);
 * ```
 */
export function distribute(
  options: DistributeOptions,
): ResultAsync<Distribution, DistributionFailure | SchemaFailure | StorageFailure> {
  if (options.shardCount !== undefined && !isShardCount(options.shardCount))
    throw new RangeError("The number of shards must be a whole number from 1 to 64 000.");
  return toStorageResult(() => run(options)).andThen((distribution) => distribution);
}

/** Returns whether Citus accepts `count` as a number of shards. */
function isShardCount(count: number): boolean {
  return Number.isSafeInteger(count) && count >= 1 && count <= 64_000;
}

async function run(
  options: DistributeOptions,
): Promise<Result<Distribution, DistributionFailure | SchemaFailure>> {
  const { sql, dryRun = false, onProgress } = options;
  const steps: DistributionStep[] = [];
  for (;;) {
    // A host that started before the distribution stores orders without adding them to
    // `customer_orders`. One `fill` per call is enough: the next call adds later orders.
    const fill = steps.every(({ action }) => action !== "fill");
    const plan = await sql.transaction(async (transaction) => {
      // Counting the rows of a large table takes long.
      await removeTimeouts(transaction);
      return planFrom(transaction, options, fill);
    });
    if (plan.isErr() || dryRun) return plan.map(({ steps: planned }) => ({ steps: planned }));
    const [next, ...later] = plan.value.steps;
    if (next === undefined) return ok({ steps });
    if (steps.some(({ sql: before }) => before === next.sql))
      throw new Error(`The step ${next.action} of ${next.subject} had no effect: ${next.sql}`);
    onProgress?.({ step: next, done: steps.length, total: steps.length + 1 + later.length });
    await sql.transaction((transaction) => runStep(transaction, options, next));
    steps.push(next);
  }
}

/** Runs `step`, unless another process has run it since this call planned it. */
async function runStep(sql: SqlQueries, options: DistributeOptions, step: DistributionStep): Promise<void> {
  await removeTimeouts(sql);
  await migrationLock(sql, options.schema);
  const plan = await planFrom(sql, options, step.action === "fill");
  if (plan.isErr() || plan.value.steps.every(({ sql: planned }) => planned !== step.sql)) return;
  const answers = await sql.query(statement("distribution_step", step.sql), []);
  if (step.action !== "settings") return;
  // A command on a worker reports its error in its result.
  const failed = answers.find((answer) => !booleanValue(answer, "success"));
  if (failed !== undefined)
    throw new Error(`The settings of ${text(failed, "node")} were not stored: ${text(failed, "result")}`);
}

/**
 * Returns the steps that are left.
 *
 * @param fill - whether to look for orders that `customer_orders` lacks. The search counts the rows
 *   of both tables, so it runs only after all tables are distributed, or in a dry run.
 */
async function planFrom(
  sql: SqlQueries,
  { schema, shardCount, application, dryRun = false }: DistributeOptions,
  fill: boolean,
): Promise<Result<DistributionPlan, DistributionFailure | SchemaFailure>> {
  const found = await readDistribution(sql, schema);
  if (found === undefined)
    return refusal(
      "distribution.no-extension",
      "The database lacks the extension citus: install Citus on every node, and run `create extension citus` in this database.",
    );
  if (!found.onCoordinator)
    return refusal(
      "distribution.not-coordinator",
      "This connection leads to a worker of the cluster: connect to the coordinator.",
    );
  const state = await readSchemaState(sql, schema);
  if (state.isErr()) return err(state.error);
  if (state.value.pending.length > 0) {
    const missing = state.value.pending.map(({ name }) => name);
    const message = `The schema "${schema}" lacks ${missing.join(", ")}: run the migrations first.`;
    return err({ name: "schema.not-migrated", missing, message });
  }
  const plan = planDistribution(found, { schema, shardCount });
  if (plan.conflicts.length > 0)
    return refusal(
      "distribution.conflict",
      plan.conflicts.map(({ message, fix }) => `${message} ${fix}`).join(" "),
    );
  const counted = fill && (dryRun || plan.steps.length === 0);
  const fills = counted ? await plannedFill(sql, schema) : [];
  return (await plannedSettings(sql, application)).map((settings) => ({
    steps: [...plan.steps, ...fills, ...settings],
    conflicts: [],
  }));
}

async function plannedSettings(
  sql: SqlQueries,
  application: string | undefined,
): Promise<Result<readonly DistributionStep[], DistributionFailure>> {
  if (application === undefined) return ok([]);
  const nodes = await readNodeSettings(sql, application);
  const [unknown] = nodes.flatMap(({ node, unknown: reason }) =>
    reason === undefined ? [] : [`The settings of ${node} cannot be read: ${reason}`],
  );
  if (unknown !== undefined) throw new Error(unknown);
  const without = nodes.filter(({ hasRole }) => !hasRole).map(({ node }) => node);
  if (without.length > 0)
    return refusal(
      "distribution.missing-role",
      `The role ${application} does not exist on ${without.join(", ")}: create it there with the same name.`,
    );
  const [row] = await sql.query(DATABASE, []);
  const database = row === undefined ? "" : text(row, "name");
  return ok(settingsSteps(nodes, { application, database }));
}

function refusal(name: DistributionFailure["name"], message: string): Result<never, DistributionFailure> {
  return err({ name, message });
}

const DATABASE = statement("distribution_database", "select pg_catalog.current_database()::text as name");
