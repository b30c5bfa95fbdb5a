import { errorCode, type StorageFailure } from "@tillkit/core/errors";
import type { ResultAsync } from "neverthrow";
import { connectionReason } from "../../client/connection-reason.js";
import { hasCitus } from "../../cluster/read-distribution.js";
import { booleanValue, integer, text } from "../../sql/row.js";
import type { SchemaFinding } from "../../rights/schema-finding.js";
import type { NodeAddress, SqlClient, SqlQueries, SqlRow } from "../../sql/sql-client.js";
import { statement } from "../../sql/statement.js";
import { toStorageResult } from "../../client/to-storage-result.js";

/**
 * Returns why hosts that connect directly to the nodes of a Citus cluster cannot use a node.
 *
 * Connects to each worker once. Only reads. Inactive nodes are left out: {@link inspectSchema}
 * reports them.
 *
 * @param sql - a client of the coordinator.
 * @param open - creates a client of a node, for example with `nodeUrl`. `inspectNodes` closes the
 *   client.
 * @returns the problems, each with a remedy; `undefined` if the server has no Citus.
 * @example
 * ```ts
 * import { inspectNodes, nodeUrl, pgClient } from "@tillkit/postgres";
 * import { Pool } from "pg";
 *
 * const clientOf = (connectionString: string) => pgClient(new Pool({ connectionString, max: 1 }));
 * const url = "postgres://tillkit_host@coordinator/pay";
 * const result = await inspectNodes(clientOf(url), (node) => clientOf(nodeUrl(url, node)));
 * const findings = result.unwrapOr(undefined) ?? [];
 * for (const { message, fix } of findings) console.log(message, fix);
 * ```
 */
export function inspectNodes(
  sql: SqlQueries,
  open: (node: NodeAddress) => SqlClient,
): ResultAsync<readonly SchemaFinding[] | undefined, StorageFailure> {
  return toStorageResult(async () => {
    if (!(await hasCitus(sql))) return undefined;
    const workers = (await sql.query(WORKERS, [])).map(toWorker);
    return (await Promise.all(workers.map((worker) => findingsOf(worker, open)))).flat();
  });
}

/** A worker, as the catalogue of the coordinator describes it. */
interface Worker extends NodeAddress {
  readonly groupId: number;
  /** Whether the worker has a current copy of the catalogue. */
  readonly synced: boolean;
}

async function findingsOf(
  worker: Worker,
  open: (node: NodeAddress) => SqlClient,
): Promise<readonly SchemaFinding[]> {
  const { host, port, groupId, synced } = worker;
  const subject = `${host}:${String(port)}`;
  if (!synced) return [unsynced(subject)];
  let client: SqlClient | undefined;
  try {
    client = open({ host, port });
    const [row] = await client.query(STATE, []);
    if (row === undefined || integer(row, "group_id") !== groupId) return [otherServer(subject)];
    return booleanValue(row, "standby") ? [standby(subject)] : [];
  } catch (error) {
    // The server has no catalogue of Citus.
    return [errorCode(error) === UNDEFINED_TABLE ? otherServer(subject) : unreachable(subject, error)];
  } finally {
    // The result is known already, so a failure to close the client does not matter.
    await client?.close().catch(() => undefined);
  }
}

/** The SQLSTATE of a statement that names a table that does not exist. */
const UNDEFINED_TABLE = "42P01";

const VIA_COORDINATOR = "Statements for its rows go through the coordinator";

function unsynced(subject: string): SchemaFinding {
  return {
    kind: "unsynced-node",
    subject,
    message: `The node ${subject} has no current copy of the catalogue. ${VIA_COORDINATOR}.`,
    fix: "Run on the coordinator: select start_metadata_sync_to_node(nodename, nodeport) from pg_dist_node where not metadatasynced;",
  };
}

function unreachable(subject: string, error: unknown): SchemaFinding {
  return {
    kind: "unreachable-node",
    subject,
    message: `No connection to the node ${subject}: ${connectionReason(error)}. ${VIA_COORDINATOR}, or fail if the node is down.`,
    fix: "Start the node, open the network from this machine to it, and allow the role in its pg_hba.conf.",
  };
}

function standby(subject: string): SchemaFinding {
  return {
    kind: "standby-node",
    subject,
    message: `The node ${subject} is a standby, which accepts no changes. ${VIA_COORDINATOR}.`,
    fix: "Correct the address of the node with citus_update_node, or promote the standby.",
  };
}

function otherServer(subject: string): SchemaFinding {
  return {
    kind: "wrong-node",
    subject,
    message: `The address ${subject} leads to another server than the node of the catalogue, for example to the coordinator or a pooler of it. Every statement that is sent there is forwarded or fails.`,
    fix: "Correct the name resolution or the proxy between this machine and the node, or let `nodePool` connect to another address.",
  };
}

function toWorker(row: SqlRow): Worker {
  return {
    host: text(row, "host"),
    port: integer(row, "port"),
    groupId: integer(row, "group_id"),
    synced: booleanValue(row, "synced"),
  };
}

const WORKERS = statement(
  "node_workers",
  `select nodename as host, nodeport as port, groupid as group_id, hasmetadata and metadatasynced as synced
   from pg_catalog.pg_dist_node
   where noderole = 'primary' and isactive and groupid <> 0
     and (shouldhaveshards or groupid in (select groupid from pg_catalog.pg_dist_placement))
   order by groupid`,
);

const STATE = statement(
  "node_state",
  "select pg_catalog.pg_is_in_recovery() as standby, groupid as group_id from pg_catalog.pg_dist_local_group",
);
