import type { PayToolStore } from "@tillkit/core";
import { rememberingPayToolStore } from "./remembering/remembering-stores.js";
import { ResultAsync } from "neverthrow";
import type { CredentialCipher } from "./credential-cipher.js";
import { grouped, type Grouping } from "./grouped.js";
import { guard } from "./guard.js";
import { ownerOf, PAY_TOOL_COLUMNS, payToolValues, toAccount, toPayTool } from "./pay-tool-row.js";
import { type OnUnreadable, rowReader } from "./row-reader.js";
import type { SqlClient, SqlRow } from "./sql-client.js";
import { statement } from "./statement.js";
import { tablesOf } from "./tables.js";

/**
 * `PayToolStore` on PostgreSQL, over the tables of `schema`. Credentials are sealed by `cipher` before they leave the process. Every tool it finds is
 * remembered in this process for a second, with its credentials as they are. Calls of one moment that look for one tool share the look-up.
 */
export function postgresPayToolStore(
  sql: SqlClient,
  schema: string,
  cipher: CredentialCipher,
  grouping?: Grouping,
  onUnreadable?: OnUnreadable,
): PayToolStore {
  const { pay_tools: tools } = tablesOf(schema);
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
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, true)
     on conflict (app_id, pay_channel) where is_current do update
       set sign_status = excluded.sign_status, app_name = excluded.app_name,
         app_package_name = excluded.app_package_name, app_signature = excluded.app_signature,
         modified_ms = excluded.modified_ms, credentials = excluded.credentials
       where (held.account_id, held.wallet_app_id, held.app_env) = (excluded.account_id, excluded.wallet_app_id, excluded.app_env)
     returning ${columns}`,
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
  const look = (id: string) => guard(async () => first(await sql.query(find, [id])));
  // Notifications never rest on memory, and those of one merchant come together: one look-up that begins after all of them is as fresh for each.
  // A look-up that fails is an answer like any other: nobody runs it again, and who asked for another tool hears nothing of it.
  const byId = grouped<string, Awaited<ReturnType<typeof look>>>(
    {
      one: async (id) => look(id),
      many: async (ids) => {
        const looks = new Map([...new Set(ids)].map((id) => [id, look(id)]));
        return new Map(
          await Promise.all(
            ids.map(async (id, place) => [place, await (looks.get(id) ?? look(id))] as const),
          ),
        );
      },
    },
    grouping,
  );
  return rememberingPayToolStore({
    put: (account) =>
      guard(() =>
        sql.transaction(async (transaction) => {
          const { appId, payChannel, accountId, walletAppId, appEnv } = account;
          const sealed = cipher.seal(JSON.stringify(account.credentials), ownerOf(account));
          for (;;) {
            await transaction.query(setAside, [appId, payChannel, accountId, walletAppId, appEnv]);
            const stored = first(await transaction.query(put, [...payToolValues(account), sealed]));
            if (stored !== undefined) return stored;
            // Between the two another merchant was made the current one: set that aside as well.
          }
        }),
      ),
    current: (appId, payChannel) => guard(async () => first(await sql.query(current, [appId, payChannel]))),
    find: (id) => new ResultAsync(byId(id)),
    list: (appId) => guard(async () => payTool.all(await sql.query(list, [appId]))),
    listAll: () => guard(async () => payTool.all(await sql.query(listAll, []))),
  });
}
