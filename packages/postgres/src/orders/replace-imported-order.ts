import type { Order, TimelineEntry } from "@tillkit/core";
import { type AuditEntry, isSameImport, type ReplaceResult } from "@tillkit/core/ports";
import { auditAppender, transactionWithAudit } from "../audit/append-audit.js";
import { appendingRunner } from "../timeline/appending-statement.js";
import { LOOKUP_COLUMNS, lookupInserter } from "./insert-orders-on-cluster.js";
import { orderValues, toOrder } from "./order-row.js";
import { orderKeyValues } from "../timeline/order-key.js";
import { type OrderStatements, REPLACED_COLUMNS } from "./order-statements.js";
import { booleanValue } from "../sql/row.js";
import { statement } from "../sql/statement.js";
import type { StoreClient } from "../cluster/store-client.js";
import type { Tables } from "../sql/tables.js";

/** A correction of an imported order. */
export interface ReplaceCall {
  readonly previous: Order;
  readonly order: Order;
  readonly entry: TimelineEntry;
  readonly audit: AuditEntry | undefined;
}

/**
 * Creates the function that replaces an imported order to which nothing else has happened.
 *
 * One transaction locks the order, compares it with `previous`, and replaces it. On a cluster, the
 * transaction also replaces the row of the order in `customer_orders`.
 */
export function importedOrderReplacer(
  sql: StoreClient,
  tables: Tables,
  statements: OrderStatements,
): (call: ReplaceCall) => Promise<ReplaceResult> {
  const appender = auditAppender(sql, tables);
  const runAppending = appendingRunner(sql, tables);
  const insertLookup = lookupInserter(tables)(1);
  const deleteLookup = statement(
    "customer_order_delete",
    `delete from ${tables.customer_orders}
     where customer_identity = $1 and app_id = $2 and created_ms = $3 and id = $4`,
  );
  return async ({ previous, order, entry, audit }) => {
    const isDistributed = await sql.isDistributed();
    return transactionWithAudit<ReplaceResult>(sql, appender, audit, async (transaction) => {
      const key = orderKeyValues(order);
      // The lock comes first, because a statement cannot see rows that other transactions stored
      // while the statement waited.
      await transaction.query(statements.lock, key);
      const [row] = await transaction.query(statements.find.one, key);
      if (row === undefined || !isSameImport(toOrder(row), previous))
        return { changed: false, value: "changed" };
      const columns = orderValues(order);
      const values = (text: string) => [
        ...key,
        ...REPLACED_COLUMNS.map((column) => columns[column] ?? null),
        text,
      ];
      const run = { statement: statements.replaceImported, values, key: order, entries: [entry] };
      const replaced = await runAppending(run, transaction);
      if (replaced === undefined || !booleanValue(replaced, "changed"))
        return { changed: false, value: "touched" };
      if (isDistributed) {
        const { customerIdentity, appId, gmtCreate, id } = toOrder(row);
        await transaction.query(deleteLookup, [customerIdentity, appId, gmtCreate, id]);
        await transaction.query(
          insertLookup,
          LOOKUP_COLUMNS.map((column) => columns[column] ?? null),
        );
      }
      return { changed: true, value: "replaced" };
    });
  };
}
