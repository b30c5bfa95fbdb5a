import { aSession } from "@tillkit/contract-tests";
import { sessionStatements } from "../session-statements.js";
import type { SqlClient } from "../sql-client.js";
import { tablesOf } from "../tables.js";

/**
 * Runs the statements that a login uses only if it had to wait for another login of the customer.
 */
export async function contendedRun(sql: SqlClient, schema: string, appId: string): Promise<void> {
  const { lockOwner, open } = sessionStatements(tablesOf(schema));
  const { customerId, tokenHash, gmtCreate, expiresAt } = aSession({ appId });
  await sql.transaction(async (transaction) => {
    await transaction.query(lockOwner, [customerId, appId, gmtCreate]);
    await transaction.query(open.one, [customerId, appId, tokenHash, gmtCreate, expiresAt, 5]);
  });
}
