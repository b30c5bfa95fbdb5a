import { isLiveSession, type Session } from "@tillkit/core";
import { arrayLiteral } from "./array-literal.js";
import { toSession } from "./session-row.js";
import type { SessionStatements } from "./session-statements.js";
import type { SqlClient } from "./sql-client.js";

/** A session to open, and the maximum number of live sessions of its customer. */
export interface OpenCall extends Session {
  readonly maxLive: number;
}

/**
 * Opens a session and ends the oldest live sessions above the limit, in one transaction.
 *
 * Returns the evicted sessions that were live, oldest first. Each statement runs on the node of the
 * customer. The first one locks the customer's row, so the sessions that the second one lists are
 * complete. The new session is not ranked with the others, so a login never evicts its own session.
 */
export function openSessionOnCluster(
  sql: SqlClient,
  { lockOwner, list, end, insert }: Pick<SessionStatements, "lockOwner" | "list" | "end" | "insert">,
  { customerId, appId, tokenHash, gmtCreate, expiresAt, maxLive }: OpenCall,
): Promise<readonly Session[]> {
  return sql.transaction(async (transaction) => {
    await transaction.query(lockOwner, [customerId, appId, gmtCreate]);
    const others = (await transaction.query(list, [customerId, appId]))
      .map(toSession)
      .filter((session) => session.tokenHash !== tokenHash);
    const live = others.filter((session) => isLiveSession(session, gmtCreate));
    const evicted = live.slice(0, Math.max(0, live.length + 1 - maxLive));
    const kept = new Set(live.slice(evicted.length));
    const ended = others.filter((session) => !kept.has(session)).map((session) => session.tokenHash);
    if (ended.length > 0) await transaction.query(end, [customerId, appId, arrayLiteral(ended)]);
    await transaction.query(insert, [customerId, appId, tokenHash, gmtCreate, expiresAt]);
    return evicted;
  });
}
