import type { App } from "@tillkit/core";
import type { AppSecret, AppStore } from "@tillkit/core/ports";
import { cachingAppStore } from "../caching/caching-stores.js";
import { toStorageResult } from "../client/to-storage-result.js";
import { auditAppender, rowChanger, withAudit } from "../audit/append-audit.js";
import { insertedWithAudit, insertOnceStatement } from "../batching/insert-once.js";
import { booleanValue, integer, optionalInteger, optionalMember, text } from "../sql/row.js";
import { type OnUnreadable, rowReader } from "../sql/row-reader.js";
import type { SqlClient, SqlRow } from "../sql/sql-client.js";
import { statement } from "../sql/statement.js";
import { storeClient } from "../cluster/store-client.js";
import { tablesOf } from "../sql/tables.js";
import { UnreadableValue } from "../sql/unreadable-value.js";

const COLUMNS = [
  "app_id",
  "name",
  "account_based",
  "check_email",
  "check_phone",
  "check_card",
  "check_identity_card",
  "check_wallet_account",
  "check_biz_no",
  "disabled",
  "secrets",
  "created_ms",
  "modified_ms",
];

/** The id of {@link DECOY}. No app has it. */
const NO_APP = "";

/** SQL for the values of a row that replaces an unknown app. It has one secret, like most apps. */
const DECOY: Readonly<Record<string, string>> = {
  app_id: `'${NO_APP}'`,
  name: "'An app'",
  secrets: `'[{"hash": "${"0".repeat(64)}", "gmtCreate": 1}]'::jsonb`,
  created_ms: "1",
  modified_ms: "1",
};

/**
 * Creates an `AppStore` on PostgreSQL, over the tables of `schema`.
 *
 * Caches each app that it finds for one second in this process.
 * @see {@link https://github.com/tillkit/tillkit/blob/main/docs/decisions/app-credentials.md |
 *   App secrets are hashes, and reads are cached for one second}
 */
export function postgresAppStore(client: SqlClient, schema: string, onUnreadable?: OnUnreadable): AppStore {
  const sql = storeClient(client, schema);
  const tables = tablesOf(schema);
  const { apps } = tables;
  const appender = auditAppender(sql, tables);
  const changeRow = rowChanger(sql, tables);
  const columns = COLUMNS.join(", ");
  const insert = insertOnceStatement({
    method: "app_insert",
    table: apps,
    columns: COLUMNS,
    where: "app_id = $1",
  });
  // Returns a row for an unknown app too, so that reading an unknown app takes as long as reading a
  // known app.
  const find = statement(
    "app_find",
    `select ${COLUMNS.map((column) => `coalesce(found.${column}, ${DECOY[column] ?? "false"}) as ${column}`).join(", ")}
     from (select $1::text as app_id) wanted left join ${apps} found on found.app_id = wanted.app_id`,
  );
  const lock = statement(
    "app_lock",
    `select account_based, check_email, check_phone, check_card,
       check_identity_card, check_wallet_account, check_biz_no
     from ${apps} where app_id = $1 for update`,
  );
  const list = statement("app_list", `select ${columns} from ${apps} order by app_id`);
  // Only the newest of the previous secrets stays, and it expires at `$4` at the latest. An app
  // without secrets has no previous secret to expire.
  const addSecret = statement(
    "app_add_secret",
    `update ${apps} set modified_ms = $3, secrets = jsonb_insert(
       jsonb_set(secrets - 1, '{0,expiresAt}', least((secrets->0->>'expiresAt')::bigint, $4::bigint)::text::jsonb),
       '{0}', $2::text::jsonb)
     where app_id = $1 returning ${columns}`,
  );
  const setDisabled = statement(
    "app_set_disabled",
    `update ${apps} set disabled = $2, modified_ms = $3 where app_id = $1 returning ${columns}`,
  );
  const setRules = statement(
    "app_set_rules",
    `update ${apps} set account_based = coalesce($2::boolean, account_based),
       check_email = coalesce($3::boolean, check_email), check_phone = coalesce($4::boolean, check_phone),
       check_card = coalesce($5::boolean, check_card),
       check_identity_card = coalesce($6::boolean, check_identity_card),
       check_wallet_account = coalesce($7::boolean, check_wallet_account),
       check_biz_no = coalesce($8::boolean, check_biz_no), modified_ms = $9
     where app_id = $1 returning ${columns}`,
  );
  const read = rowReader("apps", ["app_id"], toApp, onUnreadable);
  const readIfAny = (row: SqlRow | undefined) => row && read.one(row);
  const known = (row: SqlRow | undefined): App | undefined => {
    const app = readIfAny(row);
    return app?.appId === NO_APP ? undefined : app;
  };
  return cachingAppStore({
    insertOnce: (app, audit) =>
      toStorageResult(async () => {
        const flags = [app.accountBased, ...checkValues(app.identityChecks), app.disabled];
        const values = [app.appId, app.name, ...flags, JSON.stringify(app.secrets)];
        const filled = { statement: insert, values: [...values, app.gmtCreate, app.gmtModified] };
        const finding = { statement: find, values: [app.appId] };
        const stored = known(await insertedWithAudit(sql, appender, audit, filled, finding));
        if (stored === undefined) throw new Error("The app was neither stored nor found.");
        return stored;
      }),
    find: (appId) => toStorageResult(async () => known((await sql.query(find, [appId]))[0])),
    list: () => toStorageResult(async () => read.all(await sql.query(list, []))),
    addSecret: (appId, secret, previousEndsAt, audit) =>
      toStorageResult(async () => {
        const values = [appId, JSON.stringify(secret), secret.gmtCreate, previousEndsAt];
        return readIfAny(await changeRow(addSecret, values, audit));
      }),
    setRules: (appId, { accountBased, identityChecks = {} }, at, audit) =>
      toStorageResult(async () => {
        const rules = [accountBased ?? null, ...checkValues(identityChecks)];
        const row = await withAudit(sql, appender, audit, async (queries) => {
          // Locked, so that the entries of concurrent changes contain different previous rules.
          const [before] = audit === undefined ? [] : await queries.query(lock, [appId]);
          const [changed] = await queries.query(setRules, [appId, ...rules, at]);
          return { changed: changed !== undefined, before: before && toRules(before), value: changed };
        });
        return readIfAny(row);
      }),
    setDisabled: (appId, disabled, at, audit) =>
      toStorageResult(async () => readIfAny(await changeRow(setDisabled, [appId, disabled, at], audit))),
  });
}

/** Returns the checks in the order of their columns. */
function checkValues(checks: Partial<App["identityChecks"]>): readonly (boolean | null)[] {
  const { email, phone, card, identityCard, walletAccount, bizNo } = checks;
  return [email, phone, card, identityCard, walletAccount, bizNo].map((check) => check ?? null);
}

function toRules(row: SqlRow): Pick<App, "accountBased" | "identityChecks"> {
  return {
    accountBased: booleanValue(row, "account_based"),
    identityChecks: {
      email: booleanValue(row, "check_email"),
      phone: booleanValue(row, "check_phone"),
      card: booleanValue(row, "check_card"),
      identityCard: booleanValue(row, "check_identity_card"),
      walletAccount: booleanValue(row, "check_wallet_account"),
      bizNo: booleanValue(row, "check_biz_no"),
    },
  };
}

function toApp(row: SqlRow): App {
  return {
    appId: text(row, "app_id"),
    name: text(row, "name"),
    ...toRules(row),
    disabled: booleanValue(row, "disabled"),
    secrets: toSecrets(row["secrets"]),
    gmtCreate: integer(row, "created_ms"),
    gmtModified: integer(row, "modified_ms"),
  };
}

function toSecrets(value: unknown): readonly AppSecret[] {
  if (!Array.isArray(value)) throw new UnreadableValue("The secrets of an app are not a list.");
  return value.map((member: unknown) => {
    if (typeof member !== "object" || member === null)
      throw new UnreadableValue("A secret of an app is not an object.");
    const row: SqlRow = { expiresAt: null, ...member };
    const secret = { hash: text(row, "hash"), gmtCreate: integer(row, "gmtCreate") };
    return { ...secret, ...optionalMember("expiresAt", optionalInteger(row, "expiresAt")) };
  });
}
