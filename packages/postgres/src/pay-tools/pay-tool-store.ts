import { isSameAccount, type PayToolStore } from "@tillkit/core/ports";
import { auditAppender, transactionWithAudit } from "../audit/append-audit.js";
import { cachingPayToolStore } from "../caching/caching-stores.js";
import { ResultAsync } from "neverthrow";
import type { CredentialCipher } from "../credentials/credential-cipher.js";
import { batched, type BatchOptions } from "../batching/batched.js";
import { toStorageResult } from "../client/to-storage-result.js";
import { sealContext, PAY_TOOL_COLUMNS, payToolValues, toAccount, toPayTool } from "./pay-tool-row.js";
import { text } from "../sql/row.js";
import { type OnUnreadable, rowReader } from "../sql/row-reader.js";
import type { SqlClient, SqlRow } from "../sql/sql-client.js";
import { statement } from "../sql/statement.js";
import { storeClient } from "../cluster/store-client.js";
import { tablesOf } from "../sql/tables.js";
import { optionsText } from "./wallet-options-row.js";

/**
 * Creates a `PayToolStore` on PostgreSQL, over the tables of `schema`.
 *
 * `cipher` encrypts credentials before they leave the process. The store caches each pay tool that
 * it finds for one second in this process, with decrypted credentials. Concurrent lookups of one
 * pay tool share a query.
 * @see {@link https://github.com/tillkit/tillkit/blob/main/docs/decisions/app-credentials.md |
 *   App secrets are hashes, and reads are cached for one second}
 */
export function postgresPayToolStore(
  client: SqlClient,
  schema: string,
  cipher: CredentialCipher,
  batching?: BatchOptions,
  onUnreadable?: OnUnreadable,
): PayToolStore {
  const sql = storeClient(client, schema);
  const tables = tablesOf(schema);
  const { pay_tools: tools } = tables;
  const appender = auditAppender(sql, tables);
  const columns = `${PAY_TOOL_COLUMNS}, credentials`;
  const ofChannel = "app_id = $1 and pay_channel = $2 and is_current";
  const setAside = statement(
    "pay_tool_set_aside",
    `update ${tools} set is_current = false
     where ${ofChannel} and (account_id, wallet_app_id, app_env) <> ($3, $4, $5)`,
  );
  const put = statement(
    "pay_tool_put",
    `insert into ${tools} as held (${columns}, is_current)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, true)
     on conflict (app_id, pay_channel) where is_current do update
       set sign_status = excluded.sign_status, app_name = excluded.app_name,
         app_package_name = excluded.app_package_name, app_signature = excluded.app_signature, wallet_options = excluded.wallet_options,
         modified_ms = excluded.modified_ms, credentials = excluded.credentials
       where (held.account_id, held.wallet_app_id, held.app_env) = (excluded.account_id, excluded.wallet_app_id, excluded.app_env)
     returning ${columns}`,
  );
  // Each encryption returns a different text, so an equal text means an unchanged pay tool.
  const replace = statement(
    "pay_tool_replace",
    `update ${tools}
     set sign_status = $3, app_name = $4, app_package_name = $5, app_signature = $6, modified_ms = $7, credentials = $8, wallet_options = $9
     where id = $1 and credentials = $2
     returning id`,
  );
  const current = statement("pay_tool_current", `select ${columns} from ${tools} where ${ofChannel}`);
  const find = statement("pay_tool_find", `select ${columns} from ${tools} where id = $1`);
  const list = statement(
    "pay_tool_list",
    `select ${PAY_TOOL_COLUMNS} from ${tools} where app_id = $1 and is_current order by pay_channel`,
  );
  const listAll = statement("pay_tool_list_all", `select ${PAY_TOOL_COLUMNS} from ${tools} order by id`);
  const account = rowReader("pay_tools", ["id"], (row) => toAccount(row, cipher), onUnreadable);
  const payTool = rowReader("pay_tools", ["id"], toPayTool, onUnreadable);
  const first = ([row]: readonly SqlRow[]) => row && account.one(row);
  const look = (id: string) => toStorageResult(async () => first(await sql.query(find, [id])));
  // Notifications do not use the cache. Concurrent lookups of a pay tool share one query that
  // begins after all of them, so the result is fresh for each. A failed lookup counts as a result
  // of the batch, so it is not repeated, and the other lookups do not fail.
  const byId = batched<string, Awaited<ReturnType<typeof look>>>(
    {
      runOne: async (id) => look(id),
      runBatch: async (ids) => {
        const looks = new Map([...new Set(ids)].map((id) => [id, look(id)]));
        return new Map(
          await Promise.all(
            ids.map(async (id, place) => [place, await (looks.get(id) ?? look(id))] as const),
          ),
        );
      },
    },
    batching,
  );
  return cachingPayToolStore({
    put: (account, audit) =>
      toStorageResult(() =>
        transactionWithAudit(sql, appender, audit, async (transaction) => {
          const { appId, payChannel, accountId, walletAppId, appEnv } = account;
          const sealed = cipher.seal(JSON.stringify(account.credentials), sealContext(account));
          for (;;) {
            await transaction.query(setAside, [appId, payChannel, accountId, walletAppId, appEnv]);
            const stored = first(await transaction.query(put, [...payToolValues(account), sealed]));
            if (stored !== undefined) return { changed: true, value: stored };
            // Another call made a different merchant account current between the two statements.
            // The next round of the loop replaces this account too.
          }
        }),
      ),
    replace: (before, after, audit) =>
      toStorageResult(() =>
        transactionWithAudit(sql, appender, audit, async (transaction) => {
          const [row] = await transaction.query(find, [before.id]);
          if (row === undefined || !isSameAccount(account.one(row), before))
            return { changed: false, value: false };
          const { signStatus, appName, appPackageName, appSignature, gmtModified } = after;
          const sealed = cipher.seal(JSON.stringify(after.credentials), sealContext(before));
          const replaced = await transaction.query(replace, [
            before.id,
            text(row, "credentials"),
            signStatus,
            appName,
            appPackageName,
            appSignature,
            gmtModified,
            sealed,
            optionsText(after.walletOptions) ?? null,
          ]);
          return { changed: replaced.length > 0, value: replaced.length > 0 };
        }),
      ),
    current: (appId, payChannel) =>
      toStorageResult(async () => first(await sql.query(current, [appId, payChannel]))),
    find: (id) => new ResultAsync(byId(id)),
    list: (appId) => toStorageResult(async () => payTool.all(await sql.query(list, [appId]))),
    listAll: () => toStorageResult(async () => payTool.all(await sql.query(listAll, []))),
  });
}
