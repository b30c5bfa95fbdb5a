import { settingsOf } from "../../client/pg-client.js";
import type { DistributionStep } from "./plan-distribution.js";
import { booleanValue, text } from "../../sql/row.js";
import type { SqlQueries } from "../../sql/sql-client.js";
import { sqlLiteral } from "../../sql/sql-literal.js";
import { statement } from "../../sql/statement.js";
import { quoted } from "../../sql/tables.js";

/** The server settings that a role lacks on a node. */
export interface NodeSettings {
  /** `coordinator`, or the address of a worker as `host:port`. */
  readonly node: string;
  /** The reason why the settings are unknown, such as a node that does not respond. */
  readonly unknown?: string;
  /** Whether the role exists on the node. */
  readonly hasRole: boolean;
  /** The missing settings with their values as SQL. */
  readonly missing: readonly (readonly [name: string, value: string])[];
}

const COORDINATOR = "coordinator";

/**
 * Reads which settings of `pgClient` the role `application` lacks on each node of a cluster.
 *
 * Citus opens its own connections to the workers. They do not get the settings of a host's
 * connection. A timeout counts as present with any value.
 */
export async function readNodeSettings(
  sql: SqlQueries,
  application: string,
): Promise<readonly NodeSettings[]> {
  const command = storedSql(application);
  const [own] = await sql.query(statement("distribution_settings_here", command), []);
  const workers = await sql.query(WORKERS, [command]);
  return [
    ...(own === undefined ? [] : [nodeSettings(COORDINATOR, text(own, "stored"))]),
    ...workers.map((row) => {
      const node = text(row, "node");
      return booleanValue(row, "success")
        ? nodeSettings(node, text(row, "result"))
        : { node, unknown: text(row, "result"), hasRole: false, missing: [] };
    }),
  ];
}

/** Returns the steps that store the missing settings: on the coordinator, and on all workers. */
export function settingsSteps(
  nodes: readonly NodeSettings[],
  place: { readonly application: string; readonly database: string },
): readonly DistributionStep[] {
  const here = nodes.filter(({ node }) => node === COORDINATOR);
  const there = nodes.filter(({ node }) => node !== COORDINATOR);
  const blockFor = (some: readonly NodeSettings[]) => alterRoleSql(some, place);
  return [
    ...blockFor(here).map((sql) => ({ action: "settings" as const, subject: COORDINATOR, sql })),
    ...blockFor(there).map((sql) => ({
      action: "settings" as const,
      subject: "workers",
      sql: `select nodename as node, success, result from pg_catalog.run_command_on_workers(${sqlLiteral(sql)})`,
    })),
  ];
}

/**
 * Returns one statement that stores every setting that a node of `nodes` lacks, if there is one.
 */
function alterRoleSql(
  nodes: readonly NodeSettings[],
  { application, database }: { readonly application: string; readonly database: string },
): readonly string[] {
  const missing = new Map(nodes.flatMap((one) => one.missing));
  if (missing.size === 0) return [];
  const changes = [...missing].map(
    ([name, value]) =>
      `alter role ${quoted(application)} in database ${quoted(database)} set ${name} = ${value};`,
  );
  // Without `set local`, Citus would also send the change to other nodes. A step changes each node
  // directly.
  const body = `begin set local citus.enable_ddl_propagation = off; ${changes.join(" ")} end`;
  return [`do ${sqlLiteral(body)}`];
}

function nodeSettings(node: string, stored: string): NodeSettings {
  // The first line shows whether the role exists.
  const [hasRole = "", ...entries] = stored.split("\n");
  const found = new Map(
    entries.map((entry) => {
      const [name = "", ...value] = entry.split("=");
      return [name, value.join("=")] as const;
    }),
  );
  const missing = settingsOf({ statementMs: undefined, idleInTransactionMs: undefined }).filter(
    ([name, value]) =>
      name.endsWith("_timeout") ? !found.has(name) : found.get(name) !== value.replaceAll("'", ""),
  );
  return { node, hasRole: hasRole === "true", missing };
}

/**
 * Returns SQL that reads the stored settings of the role, one per line.
 *
 * Settings for this database come last, because they override those for every database.
 */
function storedSql(application: string): string {
  const role = sqlLiteral(application);
  return `select pg_catalog.concat_ws(pg_catalog.chr(10),
    exists (select from pg_catalog.pg_roles where rolname = ${role})::text,
    (select pg_catalog.string_agg(entry, pg_catalog.chr(10) order by s.setdatabase <> 0)
     from pg_catalog.pg_db_role_setting s
     join pg_catalog.pg_roles r on r.oid = s.setrole
     cross join pg_catalog.unnest(s.setconfig) entry
     where r.rolname = ${role} and s.setdatabase in (
       0, (select oid from pg_catalog.pg_database where datname = pg_catalog.current_database())))) as stored`;
}

const WORKERS = statement(
  "distribution_settings_workers",
  `select pg_catalog.format('%s:%s', nodename, nodeport) as node, success, result
   from pg_catalog.run_command_on_workers($1::text) order by 1`,
);
