import type { OperatorSessionStore } from "@tillkit/core/ports";
import { auditAppender, withAudit } from "../audit/append-audit.js";
import type { CredentialCipher } from "../credentials/credential-cipher.js";
import {
  OPERATOR_COLUMNS,
  OPERATOR_SESSION_COLUMNS,
  toOperatorAccount,
  toOperatorSession,
} from "./operator-row.js";
import { removalStatements, removeRows } from "../sql/remove-expired.js";
import type { SqlClient } from "../sql/sql-client.js";
import { statement } from "../sql/statement.js";
import { storeClient } from "../cluster/store-client.js";
import { tablesOf } from "../sql/tables.js";
import { toStorageResult } from "../client/to-storage-result.js";

/** Creates an `OperatorSessionStore` on PostgreSQL, over the tables of `schema`. */
export function postgresOperatorSessionStore(
  client: SqlClient,
  schema: string,
  cipher: CredentialCipher,
): OperatorSessionStore {
  const sql = storeClient(client, schema);
  const tables = tablesOf(schema);
  const appender = auditAppender(sql, tables);
  const statements = operatorSessionStatements(tables);
  return {
    open: (session, audit, replaces) =>
      toStorageResult(() =>
        withAudit(sql, appender, audit, async (queries) => {
          const unchanged = { changed: false, value: false };
          // The lock keeps the account from being disabled until this transaction ends.
          const enabled = await queries.query(statements.lockEnabled, [session.operator]);
          if (enabled.length === 0) return unchanged;
          if (replaces !== undefined && (await queries.query(statements.close, [replaces])).length === 0)
            return unchanged;
          const { tokenHash, operator, csrfHash, complete, createdAt, expiresAt, lastSeenAt } = session;
          const values = [tokenHash, operator, csrfHash, complete, createdAt, expiresAt, lastSeenAt];
          await queries.query(statements.insert, values);
          return { changed: true, value: true };
        }),
      ),
    find: (tokenHash) =>
      toStorageResult(async () => {
        const [row] = await sql.query(statements.find, [tokenHash]);
        return row && { session: toOperatorSession(row), account: toOperatorAccount(row, cipher) };
      }),
    touch: (tokenHash, at) =>
      toStorageResult(async () => {
        await sql.query(statements.touch, [tokenHash, at]);
      }),
    close: (tokenHash, audit) =>
      toStorageResult(() =>
        withAudit(sql, appender, audit, async (queries) => {
          const existed = (await queries.query(statements.close, [tokenHash])).length > 0;
          return { changed: existed, value: existed };
        }),
      ),
    removeExpired: (before, limit) =>
      toStorageResult(() => removeRows(sql, statements.removeExpired, before, limit)),
  };
}

function operatorSessionStatements({ operators, operator_sessions }: ReturnType<typeof tablesOf>) {
  const columns = OPERATOR_SESSION_COLUMNS.join(", ");
  const placeholders = OPERATOR_SESSION_COLUMNS.map((_, index) => `$${index + 1}`).join(", ");
  const ofSession = OPERATOR_SESSION_COLUMNS.map((column) =>
    column === "created_ms" ? "s.created_ms as opened_ms" : `s.${column}`,
  );
  const ofAccount = OPERATOR_COLUMNS.map((column) => `o.${column}`);
  return {
    lockEnabled: statement(
      "operator_lock_enabled",
      `select name from ${operators} where name = $1 and not disabled for update`,
    ),
    insert: statement(
      "operator_session_insert",
      `insert into ${operator_sessions} (${columns}) values (${placeholders})`,
    ),
    find: statement(
      "operator_session_find",
      `select ${[...ofSession, ...ofAccount].join(", ")}
       from ${operator_sessions} s join ${operators} o on o.name = s.operator where s.token_hash = $1`,
    ),
    touch: statement(
      "operator_session_touch",
      `update ${operator_sessions} set seen_ms = $2 where token_hash = $1 and seen_ms < $2`,
    ),
    close: statement(
      "operator_session_close",
      `delete from ${operator_sessions} where token_hash = $1 returning token_hash`,
    ),
    removeExpired: removalStatements({
      method: "operator_session_remove_expired",
      table: operator_sessions,
      key: ["token_hash"],
      column: "expires_ms",
    }),
  };
}
