import type { PayTool, WalletAccount } from "@tillkit/core";
import { okAsync, type ResultAsync } from "neverthrow";
import type { StorageFailure } from "@tillkit/core/errors";
import { withProvider } from "@tillkit/core/ports";
import { credentialCipher } from "../credentials/credential-cipher.js";
import { toStorageResult } from "../client/to-storage-result.js";
import { PAY_TOOL_COLUMNS, toAccount, toPayTool } from "../pay-tools/pay-tool-row.js";
import type { PostgresStorage } from "../stores/postgres-stores.js";
import { rowReader } from "../sql/row-reader.js";
import { booleanValue } from "../sql/row.js";
import type { SqlRow } from "../sql/sql-client.js";
import { statement } from "../sql/statement.js";
import { tablesOf } from "../sql/tables.js";

/** A pay tool with its credentials, if they can be decrypted. */
export interface StoredAccount {
  readonly payTool: PayTool;
  /** Whether new orders use this pay tool. A replaced pay tool still serves its existing orders. */
  readonly current: boolean;
  /**
   * The credentials of the pay tool. Includes its service provider if the pay tool names a usable
   * one.
   *
   * Absent if the credentials cannot be decrypted with `credentialKeys`.
   */
  readonly account?: WalletAccount;
}

/**
 * Returns every pay tool, including replaced ones, to check that all credentials can be decrypted.
 *
 * @returns the pay tools. A pay tool whose credentials cannot be decrypted has no `account`.
 * @example
 * ```ts
 * import { readAccounts } from "@tillkit/postgres";
 *
 * const accounts = await readAccounts({ sql, schema: "tillkit", credentialKeys });
 * ```
 */
export function readAccounts({
  sql,
  schema,
  credentialKeys,
  onUnreadable,
}: PostgresStorage): ResultAsync<readonly StoredAccount[], StorageFailure> {
  const cipher = credentialCipher(credentialKeys);
  const all = statement(
    "pay_tool_accounts",
    `select ${PAY_TOOL_COLUMNS}, credentials, is_current from ${tablesOf(schema).pay_tools}
     order by app_id, pay_channel, is_current desc, id`,
  );
  const read = (row: SqlRow): StoredAccount => {
    const stored = { payTool: toPayTool(row), current: booleanValue(row, "is_current") };
    try {
      return { ...stored, account: toAccount(row, cipher) };
    } catch {
      // The key is missing, or the credentials belong to another pay tool or were changed. The
      // error of the cipher adds no information.
      return stored;
    }
  };
  const { all: toAccounts } = rowReader("pay_tools", ["id"], read, onUnreadable);
  return toStorageResult(async () => toAccounts(await sql.query(all, []))).map(withProviders);
}

/** Adds to each account the service provider that it names. Providers are in the same list. */
async function withProviders(stored: readonly StoredAccount[]): Promise<readonly StoredAccount[]> {
  const byId = new Map(stored.map(({ payTool, account }) => [payTool.id, account]));
  const payTools = { find: (id: string) => okAsync(byId.get(id)) };
  return Promise.all(
    stored.map(async (one) => {
      if (one.account === undefined) return one;
      const complete = await withProvider(payTools, one.account);
      return { ...one, account: complete.unwrapOr(one.account) };
    }),
  );
}
