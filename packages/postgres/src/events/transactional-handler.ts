import type { EventHandler, HandlerContext, OrderEvent } from "@tillkit/core";
import { errorCode } from "@tillkit/core/errors";
import { checkedHandlerName } from "@tillkit/core/ports";
import { ok } from "neverthrow";
import { advanceDelivery, heldValues } from "./advance-delivery.js";
import { claimedReader, deliveryReader } from "./event-delivery-row.js";
import { eventDeliveryStatements, heldStatement } from "./event-delivery-statements.js";
import { type HandlerSql, openHandlerSession } from "./handler-sql.js";
import type { SqlClient } from "../sql/sql-client.js";
import { storeClient } from "../cluster/store-client.js";
import { tablesOf } from "../sql/tables.js";
import { toStorageResult } from "../client/to-storage-result.js";

/** The options of {@link transactionalHandler}. */
export interface TransactionalHandlerOptions extends Pick<EventHandler, "name" | "types"> {
  /** The client of the stores. */
  readonly sql: SqlClient;
  /** The schema of the stores. */
  readonly schema: string;
  /**
   * Handles one event with statements of one transaction. If it rejects, none of the statements
   * takes effect.
   *
   * Effects outside of the transaction, such as requests, can happen more than once. Functions that
   * call a store, such as `getOrder`, use another connection, and do not see what `handle` wrote.
   * The client keeps one connection free for them. If the client has only one connection, they fail
   * with `storage.misconfigured`. At the deadline of the attempt, the transaction is rolled back,
   * even if `handle` has not ended.
   */
  readonly handle: (event: OrderEvent, sql: HandlerSql, context: HandlerContext) => Promise<unknown>;
}

/**
 * Creates a handler whose statements take effect exactly once for each event.
 *
 * The statements run in the READ COMMITTED transaction that advances the delivery. If the process
 * dies, the handler rejects, or another worker has claimed the delivery meanwhile, the database
 * rolls everything back. The handler's tables must be in the database of the stores, and the role
 * of the stores needs privileges on these tables.
 *
 * @returns the handler.
 * @throws TypeError if the name is not usable.
 * @example
 * ```ts
 * import { transactionalHandler } from "@tillkit/postgres";
 *
 * const ledger = transactionalHandler({
 *   name: "ledger",
 *   types: ["order.paid"],
 *   sql,
 *   schema: "tillkit",
 *   handle: (event, transaction) =>
 *     transaction.query("insert into ledger (event_id, cents) values ($1, $2)", [
 *       event.id,
 *       event.amount,
 *     ]),
 * });
 * ```
 */
export function transactionalHandler({
  name,
  types,
  sql: client,
  schema,
  handle,
}: TransactionalHandlerOptions): EventHandler {
  const sql = storeClient(client, schema);
  const tables = tablesOf(schema);
  const held = heldStatement(tables);
  const { advance } = eventDeliveryStatements(tables);
  const parts = { advance, deliveries: deliveryReader(), claimed: claimedReader() };
  return {
    name: checkedHandlerName(name),
    types,
    // The client runs at most this number of such transactions at once. Further claims would only
    // wait.
    maxConcurrent: client.maxWithNestedCalls,
    deliver: async (event, { signal, delivery, next, until }) => {
      const lost = new Error("The claim on the delivery is lost.");
      let failure: { readonly cause: unknown } | undefined;
      // The delivery is locked only at the end, because a change of the order waits for this lock.
      // If two workers run at once, one of them has lost its claim, and its transaction is rolled
      // back.
      const work = () =>
        sql.transaction(
          async (transaction) => {
            if ((await transaction.query(held, heldValues(delivery))).length === 0) throw lost;
            const session = openHandlerSession(transaction);
            try {
              await beforeAbort(signal, lost, () => handle(event, session.sql, { signal }));
            } catch (cause) {
              if (cause !== lost) failure = { cause };
              throw cause;
            } finally {
              session.end();
            }
            const advanced = await advanceDelivery(transaction, parts, delivery, { next, until }).catch(
              (error: unknown) => {
                // The server refuses the transaction after an error that the handler ignored.
                if (session.errors.length > 0) failure = { cause: session.errors[0] };
                throw error;
              },
            );
            if (advanced === undefined) throw lost;
            return advanced;
          },
          { once: true, nestedCalls: true },
        );
      const result = await toStorageResult(work);
      if (failure !== undefined) throw failure.cause;
      if (result.isErr() && result.error.cause === lost) return ok(undefined);
      if (result.isErr() && isRefusedCommit(result.error.cause)) throw result.error.cause;
      return result;
    },
  };
}

/**
 * Returns the result of `work`. Rejects with `reason` when `signal` aborts, whatever `work` does.
 *
 * Without this function, a handler that never ends would keep the transaction and its connection.
 */
function beforeAbort<T>(signal: AbortSignal, reason: Error, work: () => Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const abort = (): void => reject(reason);
    signal.addEventListener("abort", abort, { once: true });
    if (signal.aborted) abort();
    else work().then(resolve, reject);
  });
}

/** Returns whether a deferred constraint or constraint trigger refused the handler's changes. */
function isRefusedCommit(cause: unknown): boolean {
  return /^(?:23|P0)/.test(String(errorCode(cause)));
}
