import { expectOk } from "@tillkit/contract-tests";
import { distribute } from "../admin/distribution/distribute.js";
import { integer, text } from "../sql/row.js";
import { nodeUrl } from "../client/node-url.js";
import type { SqlClient } from "../sql/sql-client.js";
import { statement } from "../sql/statement.js";
import type { BlockedStatement } from "./blocked-statement.js";
import { serverClient } from "./databases.js";

/** Whether the stores of the tests connect to the workers directly: `TEST_CITUS_NODES=direct`. */
const DIRECT = process.env["TEST_CITUS_NODES"] === "direct";

/**
 * Creates a client of the coordinator of `TEST_CITUS_URL`. Defaults to the role of the URL.
 *
 * If both `stores` and {@link DIRECT} are true, the client also connects to the workers. Otherwise
 * it connects to the coordinator only. The URL may set `citus.shard_count`, such as
 * `?options=-c%20citus.shard_count%3D4`.
 */
export function citusClient({
  stores = false,
  ...options
}: { readonly user?: string; readonly max?: number; readonly stores?: boolean } = {}): SqlClient {
  return serverClient({ ...options, server: coordinator().href, direct: stores && DIRECT });
}

/** Creates a client that may also create triggers on distributed tables. */
export function citusClientWithTriggers(): SqlClient {
  const url = coordinator();
  const settings = [url.searchParams.get("options") ?? "", "-c citus.enable_unsafe_triggers=on"];
  url.searchParams.set("options", settings.join(" ").trim());
  return serverClient({ server: url.href, direct: DIRECT });
}

function coordinator(): URL {
  const { TEST_CITUS_URL: url = "" } = process.env;
  if (!URL.canParse(url)) throw new Error("TEST_CITUS_URL must be the URL of a Citus coordinator database.");
  return new URL(url);
}

/** Distributes the tables of a migrated schema. */
export async function distributeSchema(quotedSchema: string): Promise<void> {
  const sql = citusClient({ max: 1 });
  const schema = quotedSchema.slice(1, -1).replaceAll('""', '"');
  await expectOk(distribute({ sql, schema }));
  await sql.close();
}

/** Connects to the worker that has the row. */
export async function workerOf({ table, value }: Omit<BlockedStatement, "schema">): Promise<SqlClient> {
  const sql = citusClient({ max: 1 });
  const place = statement(
    "test_worker",
    `select nodename, nodeport from pg_dist_node join pg_dist_placement using (groupid)
     where shardid = get_shard_id_for_distribution_column($1::text::regclass, $2::text)`,
  );
  const [row] = await sql.query(place, [table, value]);
  await sql.close();
  if (row === undefined) throw new Error(`No worker has the row ${value}.`);
  const node = { host: text(row, "nodename"), port: integer(row, "nodeport") };
  return serverClient({ server: nodeUrl(coordinator().href, node) });
}
