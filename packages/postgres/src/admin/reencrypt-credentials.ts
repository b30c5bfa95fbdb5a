import type { ResultAsync } from "neverthrow";
import type { StorageFailure } from "@tillkit/core/errors";
import { credentialCipher } from "../credentials/credential-cipher.js";
import { toStorageResult } from "../client/to-storage-result.js";
import { sealContext, PAY_TOOL_COLUMNS, toPayTool } from "../pay-tools/pay-tool-row.js";
import type { PostgresStorage } from "../stores/postgres-stores.js";
import { rowReader } from "../sql/row-reader.js";
import { text } from "../sql/row.js";
import { statement } from "../sql/statement.js";
import { tablesOf } from "../sql/tables.js";

/**
 * Encrypts all wallet credentials with the first of `credentialKeys`.
 *
 * Afterwards the older keys are no longer needed. Safe to repeat. Safe while hosts run, if every
 * host has both the first key and the older keys.
 *
 * @returns the number of credentials that were encrypted again.
 * @example
 * ```ts
 * import { reencryptCredentials } from "@tillkit/postgres";
 *
 * const count = await reencryptCredentials({ sql, schema: "tillkit", credentialKeys });
 * ```
 */
export function reencryptCredentials({
  sql,
  schema,
  credentialKeys,
}: PostgresStorage): ResultAsync<number, StorageFailure> {
  const cipher = credentialCipher(credentialKeys);
  const { pay_tools: tools } = tablesOf(schema);
  const all = statement("pay_tool_all", `select ${PAY_TOOL_COLUMNS}, credentials from ${tools} order by id`);
  const reseal = statement(
    "pay_tool_reseal",
    `update ${tools} set credentials = $3 where id = $1 and credentials = $2 returning id`,
  );
  // `one` throws on an unreadable row, so that a success means that the older keys can be removed.
  const payTool = rowReader("pay_tools", ["id"], toPayTool);
  return toStorageResult(async () => {
    let resealed = 0;
    for (const row of await sql.query(all, [])) {
      const tool = payTool.one(row);
      const sealed = text(row, "credentials");
      if (cipher.isCurrent(sealed)) continue;
      const fresh = cipher.seal(cipher.open(sealed, sealContext(tool)), sealContext(tool));
      // A pay tool that changed meanwhile was encrypted by the host that changed it.
      resealed += (await sql.query(reseal, [tool.id, sealed, fresh])).length;
    }
    return resealed;
  });
}
