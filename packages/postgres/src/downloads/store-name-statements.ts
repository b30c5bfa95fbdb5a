import type { StoreName } from "@tillkit/core/ports";
import { text } from "../sql/row.js";
import type { SqlQueries, SqlStatement } from "../sql/sql-client.js";
import { statement } from "../sql/statement.js";
import type { Tables } from "../sql/tables.js";

/** The statements over the registry of stores. */
export interface StoreNameStatements {
  /**
   * Lets one transaction at a time write counts of many days or change the registry.
   *
   * Only increments, which write one row, run beside such a transaction.
   */
  readonly lock: SqlStatement;
  /** Returns every name. */
  readonly list: SqlStatement;
  /** Stores names. Placeholder: an array of rows as JSON. */
  readonly put: SqlStatement;
  /** Makes increments of two stores wait for the transaction. Placeholders: both stores. */
  readonly block: SqlStatement;
}

/** Creates the statements over one schema. */
export function storeNameStatements({
  store_names: table,
}: Pick<Tables, "store_names">): StoreNameStatements {
  return {
    lock: statement(
      "store_name_lock",
      `select pg_advisory_xact_lock(hashtextextended('${table.replaceAll("'", "''")}', 0)) is null as locked`,
    ),
    list: statement("store_name_list", `select name, store from ${table}`),
    put: statement(
      "store_name_put",
      `insert into ${table} (name, store)
       select name, store from json_to_recordset($1::text::json) as given (name text, store text)
       on conflict (name) do update set store = excluded.store`,
    ),
    // An increment reads its name with a lock, which waits for this update.
    block: statement("store_name_block", `update ${table} set store = store where store = $1 or store = $2`),
  };
}

/** Returns every name of the registry. */
export async function readStoreNames(
  queries: SqlQueries,
  { list }: StoreNameStatements,
): Promise<readonly StoreName[]> {
  return (await queries.query(list, [])).map((row) => ({
    name: text(row, "name"),
    store: text(row, "store"),
  }));
}

/** Stores new and changed names. */
export async function putStoreNames(
  queries: SqlQueries,
  { put }: StoreNameStatements,
  rows: readonly StoreName[],
): Promise<void> {
  if (rows.length > 0) await queries.query(put, [JSON.stringify(rows)]);
}
