import { aPayment, aSession, unique } from "@tillkit/contract-tests";
import { orderStatements } from "../orders/order-statements.js";
import { sessionStatements } from "../sessions/session-statements.js";
import type { SqlClient } from "../sql/sql-client.js";
import { storeClient } from "../cluster/store-client.js";
import { tablesOf } from "../sql/tables.js";
import { transitionOnCluster } from "../orders/transition-on-cluster.js";

/**
 * Runs the statements that neither `fullRun` nor `batchedRun` uses.
 *
 * A login that had to wait for another login of the customer uses two of them. A batch with direct
 * connections to the nodes of a cluster uses the others, if it has one order in a shard.
 */
export async function contendedRun(sql: SqlClient, schema: string, appId: string): Promise<void> {
  const { lockOwner, open } = sessionStatements(tablesOf(schema));
  const { customerId, tokenHash, gmtCreate, expiresAt } = aSession({ appId });
  await sql.transaction(async (transaction) => {
    await transaction.query(lockOwner, [customerId, appId, gmtCreate]);
    await transaction.query(open.one, [customerId, appId, tokenHash, gmtCreate, expiresAt, null, 5]);
  });
  const tables = tablesOf(schema);
  const find = orderStatements(tables).find.one;
  const { runBatch } = transitionOnCluster(storeClient(sql, schema, true), tables, find);
  await runBatch([{ key: { appId, bizNo: unique("order-") }, change: aPayment() }], sql);
}
