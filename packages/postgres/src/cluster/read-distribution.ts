import { booleanValue, integer, optionalText, text } from "../sql/row.js";
import type { SqlQueries, SqlRow } from "../sql/sql-client.js";
import { statement } from "../sql/statement.js";

/** Where the rows of a table are, according to the catalog of Citus. */
export interface FoundPlacement {
  /** `other` is a kind that Tillkit never creates, such as a table of a distributed schema. */
  readonly kind: "local" | "reference" | "distributed" | "other";
  /** The distribution column of a distributed table. */
  readonly column?: string;
  /** The id of the colocation group. Tables of one group have the same id. */
  readonly colocation: number;
  /** The number of bytes of the table itself on the coordinator, without its shards. */
  readonly localBytes: number;
}

/** A node of the cluster. */
export interface FoundNode {
  /** The address as `host:port`. */
  readonly name: string;
  readonly active: boolean;
  readonly coordinator: boolean;
}

/** The state of a database with the extension citus. */
export interface FoundDistribution {
  /** Whether this connection leads to the coordinator. */
  readonly onCoordinator: boolean;
  readonly nodes: readonly FoundNode[];
  /** The tables of the schema by name. */
  readonly tables: Readonly<Record<string, FoundPlacement>>;
}

/** Returns whether the database has the extension citus. */
export async function hasCitus(sql: SqlQueries): Promise<boolean> {
  const [extension] = await sql.query(EXTENSION, []);
  return extension !== undefined && booleanValue(extension, "present");
}

/** Reads the distribution of `schema`, or returns `undefined` if the database lacks citus. */
export async function readDistribution(
  sql: SqlQueries,
  schema: string,
): Promise<FoundDistribution | undefined> {
  if (!(await hasCitus(sql))) return undefined;
  const [group] = await sql.query(GROUP, []);
  const nodes = (await sql.query(NODES, [])).map((row) => ({
    name: text(row, "name"),
    active: booleanValue(row, "active"),
    coordinator: booleanValue(row, "coordinator"),
  }));
  const tables = (await sql.query(PLACEMENTS, [schema])).map(
    (row) => [text(row, "table_name"), placementIn(row)] as const,
  );
  return {
    onCoordinator: group !== undefined && integer(group, "id") === 0,
    nodes,
    tables: Object.fromEntries(tables),
  };
}

function placementIn(row: SqlRow): FoundPlacement {
  const column = optionalText(row, "column_name");
  return {
    kind: kindIn(optionalText(row, "method"), optionalText(row, "model"), integer(row, "colocation")),
    ...(column === undefined ? {} : { column }),
    colocation: integer(row, "colocation"),
    localBytes: integer(row, "local_bytes"),
  };
}

function kindIn(
  method: string | undefined,
  model: string | undefined,
  colocation: number,
): FoundPlacement["kind"] {
  if (method === undefined) return "local";
  if (method === "h") return "distributed";
  if (method === "n" && model === "t") return "reference";
  // Citus adds a local table to its metadata if another table refers to it.
  return method === "n" && model === "s" && colocation === 0 ? "local" : "other";
}

const EXTENSION = statement(
  "distribution_extension",
  "select exists (select from pg_catalog.pg_extension where extname = 'citus') as present",
);

const GROUP = statement("distribution_group", "select groupid as id from pg_catalog.pg_dist_local_group");

const NODES = statement(
  "distribution_nodes",
  `select pg_catalog.format('%s:%s', nodename, nodeport) as name, isactive as active, groupid = 0 as coordinator
   from pg_catalog.pg_dist_node where noderole = 'primary' order by groupid, nodeid`,
);

const PLACEMENTS = statement(
  "distribution_placements",
  `select c.relname::text as table_name, p.partmethod::text as method, p.repmodel::text as model,
     pg_catalog.column_to_column_name(p.logicalrelid, p.partkey) as column_name,
     coalesce(p.colocationid, 0)::int as colocation, pg_catalog.pg_relation_size(c.oid)::text as local_bytes
   from pg_catalog.pg_class c join pg_catalog.pg_namespace n on n.oid = c.relnamespace
   left join pg_catalog.pg_dist_partition p on p.logicalrelid = c.oid
   where n.nspname = $1::text and c.relkind in ('r', 'p') order by c.relname`,
);
