import { arrayLiteral } from "./array-literal.js";
import type { SessionStatements } from "./session-statements.js";
import { SESSION_COLUMNS } from "./open-session-evicting-oldest.js";
import { integer, text } from "./row.js";
import type { SqlClient, SqlRow, SqlValue } from "./sql-client.js";

/** A session to open: the values of its columns, and the limit. */
export type SessionValues = Readonly<Record<(typeof SESSION_COLUMNS)[number] | "max_live", SqlValue>>;

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
  session: SessionValues,
): Promise<readonly SqlRow[]> {
  const { customer_id: customer, app_id: app, created_ms: now } = session;
  return sql.transaction(async (transaction) => {
    await transaction.query(lockOwner, [customer, app, now]);
    const others = (await transaction.query(list, [customer, app])).filter(
      (row) => text(row, "token_hash") !== session.token_hash,
    );
    const isLive = (row: SqlRow): boolean => integer(row, "expires_ms") > Number(now);
    const live = others.filter(isLive);
    const evicted = live.slice(0, Math.max(0, live.length + 1 - Number(session.max_live)));
    const ended = [...others.filter((row) => !isLive(row)), ...evicted];
    if (ended.length > 0) {
      const tokens = ended.map((row) => text(row, "token_hash"));
      await transaction.query(end, [customer, app, arrayLiteral(tokens)]);
    }
    await transaction.query(
      insert,
      SESSION_COLUMNS.map((column) => session[column]),
    );
    return evicted;
  });
}
