import {
  type AuditEntry,
  grantsAfter,
  type LastAdmin,
  type OperatorAccount,
  operatorNameKey,
  type OperatorStore,
  raisesRights,
} from "@tillkit/core/ports";
import { auditAppender, type Audited, withAudit } from "../audit/append-audit.js";
import type { CredentialCipher } from "../credentials/credential-cipher.js";
import {
  appsJson,
  grantsValue,
  OPERATOR_COLUMNS,
  operatorValues,
  sealTotpSecret,
  toOperatorAccount,
} from "./operator-row.js";
import { text } from "../sql/row.js";
import type { SqlClient, SqlQueries, SqlRow, SqlStatement, SqlValue } from "../sql/sql-client.js";
import { statement } from "../sql/statement.js";
import { storeClient } from "../cluster/store-client.js";
import { tablesOf } from "../sql/tables.js";
import { toStorageResult } from "../client/to-storage-result.js";

/** Changes the locked account `before`. */
type Change = (queries: SqlQueries, before: OperatorAccount) => Promise<Audited<OperatorAccount | undefined>>;

/** Creates an `OperatorStore` on PostgreSQL, over the tables of `schema`. */
export function postgresOperatorStore(
  client: SqlClient,
  schema: string,
  cipher: CredentialCipher,
): OperatorStore {
  const sql = storeClient(client, schema);
  const tables = tablesOf(schema);
  const appender = auditAppender(sql, tables);
  const statements = operatorStatements(tables);
  const read = (row: SqlRow): OperatorAccount => toOperatorAccount(row, cipher);
  const first = ([row]: readonly SqlRow[]) => row && read(row);
  const find = async (queries: SqlQueries, name: string) =>
    first(await queries.query(statements.find, [operatorNameKey(name)]));
  /** Locks an account, then changes it: its new grants depend on the previous ones. */
  const changeLocked = async (
    queries: SqlQueries,
    name: string,
    change: Change,
  ): Promise<Audited<OperatorAccount | undefined>> => {
    const before = first(await queries.query(statements.lock, [name]));
    return before === undefined ? { changed: false, value: undefined } : change(queries, before);
  };
  const changing = (name: string, audit: AuditEntry, change: Change) =>
    toStorageResult(() => withAudit(sql, appender, audit, (queries) => changeLocked(queries, name, change)));
  /**
   * Makes a change that can take the rights of an active admin. Refuses it for the last active
   * admin.
   *
   * Such a change first locks all active admins, in one order. So two concurrent changes cannot
   * take the rights of the last two admins.
   */
  const takingRights = (name: string, audit: AuditEntry, change: Change) =>
    toStorageResult(() =>
      withAudit<OperatorAccount | LastAdmin | undefined>(sql, appender, audit, async (queries) => {
        const admins = await queries.query(statements.lockAdmins, []);
        const isLast = admins.length === 1 && admins.every((row) => text(row, "name") === name);
        return isLast ? { changed: false, value: "last-admin" } : changeLocked(queries, name, change);
      }),
    );
  /** Changes one row. `thenEndSessions` ends the sessions of its operator in the same step. */
  const changeRow = async (
    queries: SqlQueries,
    changed: SqlStatement,
    values: readonly [name: string, ...SqlValue[]],
    thenEndSessions: boolean,
  ): Promise<Audited<OperatorAccount | undefined>> => {
    const account = first(await queries.query(changed, values));
    if (account !== undefined && thenEndSessions) await queries.query(statements.endSessions, [values[0]]);
    return { changed: account !== undefined, value: account };
  };
  return {
    insertOnce: (account, audit) =>
      toStorageResult(() =>
        withAudit(sql, appender, audit, async (queries) => {
          const made = first(await queries.query(statements.insert, operatorValues(account, cipher)));
          const stored = made ?? (await find(queries, account.name));
          if (stored === undefined) throw new Error("The account was neither stored nor found.");
          const inserted = made !== undefined;
          return { changed: inserted, value: { inserted, account: stored } };
        }),
      ),
    find: (name) => toStorageResult(() => find(sql, name)),
    list: () => toStorageResult(async () => (await sql.query(statements.list, [])).map(read)),
    setPassword: (name, { passwordHash, mustChangePassword, removesSecondFactor, replaces, at }, audit) =>
      changing(name, audit, (queries, before) => {
        const values = [
          name,
          passwordHash,
          mustChangePassword,
          removesSecondFactor,
          replaces ?? null,
          at,
          grantsValue(grantsAfter(before, "reset", audit)),
        ] as const;
        return changeRow(queries, statements.setPassword, values, true);
      }),
    setSecondFactor: (name, { tokenHash, factor, replaces, at }, audit) =>
      changing(name, audit, async (queries, before) => {
        // Compared here, because the stored key is encrypted. The row is locked.
        if (before.totpSecret !== replaces) return { changed: false, value: undefined };
        const sealed = factor === undefined ? null : sealTotpSecret(cipher, name, factor.totpSecret);
        const values = [name, tokenHash, sealed, factor?.totpLastStep ?? null, at] as const;
        const changed = await changeRow(queries, statements.setSecondFactor, values, false);
        if (changed.changed) await queries.query(statements.endOtherSessions, [name, tokenHash]);
        return changed;
      }),
    useTotpStep: (name, step) =>
      toStorageResult(async () => (await sql.query(statements.useTotpStep, [name, step])).length > 0),
    setRole: ({ name, role, apps }, at, audit) =>
      (role === "admin" && apps === undefined ? changing : takingRights)(
        name,
        audit,
        async (queries, before) => {
          const isRaise = raisesRights(before, { role, ...(apps && { apps }) });
          const grants = grantsValue(isRaise ? grantsAfter(before, "raise", audit) : before.grants);
          const values = [name, role, appsJson(apps), at, grants] as const;
          const changed = await changeRow(queries, statements.setRole, values, false);
          return { ...changed, before: { role: before.role, apps: before.apps } };
        },
      ),
    setDisabled: (name, disabled, at, audit) =>
      (disabled ? takingRights : changing)(name, audit, async (queries, before) => {
        if (before.disabled === disabled) return { changed: false, value: before };
        const grants = grantsValue(disabled ? before.grants : grantsAfter(before, "enable", audit));
        return changeRow(queries, statements.setDisabled, [name, disabled, at, grants], disabled);
      }),
  };
}

function operatorStatements({ operators, operator_sessions }: ReturnType<typeof tablesOf>) {
  const columns = OPERATOR_COLUMNS.join(", ");
  const values = OPERATOR_COLUMNS.map((column, index) =>
    column === "apps" ? `$${index + 1}::text::jsonb` : `$${index + 1}`,
  ).join(", ");
  return {
    insert: statement(
      "operator_insert",
      `insert into ${operators} (${columns}) values (${values})
       on conflict do nothing returning ${columns}`,
    ),
    find: statement("operator_find", `select ${columns} from ${operators} where lower(name) = $1`),
    lock: statement("operator_lock", `select ${columns} from ${operators} where name = $1 for update`),
    list: statement("operator_list", `select ${columns} from ${operators} order by name`),
    setPassword: statement(
      "operator_set_password",
      `update ${operators} set password_hash = $2, must_change_password = $3, modified_ms = $6, grants = $7,
         totp_secret = case when $4::boolean then null else totp_secret end,
         totp_last_step = case when $4::boolean then null else totp_last_step end
       where name = $1 and ($5::text is null or password_hash = $5) returning ${columns}`,
    ),
    lockAdmins: statement(
      "operator_lock_admins",
      `select name from ${operators} where role = 'admin' and apps is null and not disabled
       order by name for update`,
    ),
    endSessions: statement("operator_end_sessions", `delete from ${operator_sessions} where operator = $1`),
    endOtherSessions: statement(
      "operator_end_other_sessions",
      `delete from ${operator_sessions} where operator = $1 and token_hash <> $2`,
    ),
    setSecondFactor: statement(
      "operator_set_second_factor",
      `update ${operators} set totp_secret = $3, totp_last_step = $4, modified_ms = $5
       where name = $1
         and exists (select from ${operator_sessions} s where s.token_hash = $2 and s.operator = $1)
       returning ${columns}`,
    ),
    useTotpStep: statement(
      "operator_use_totp_step",
      `update ${operators} set totp_last_step = $2
       where name = $1 and totp_secret is not null and coalesce(totp_last_step, -1) < $2 returning name`,
    ),
    setRole: statement(
      "operator_set_role",
      `update ${operators} set role = $2, apps = $3::text::jsonb, modified_ms = $4, grants = $5 where name = $1 returning ${columns}`,
    ),
    setDisabled: statement(
      "operator_set_disabled",
      `update ${operators} set disabled = $2, modified_ms = $3, grants = $4,
         disabled_ms = case when $2 then $3 else disabled_ms end
       where name = $1 returning ${columns}`,
    ),
  };
}
