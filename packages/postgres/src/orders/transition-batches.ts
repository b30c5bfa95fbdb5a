import type { TransitionResult } from "@tillkit/core/ports";
import { appendedText } from "../timeline/appended-text.js";
import type { CallValues } from "../batching/batch-input.js";
import { batched, type BatchOptions } from "../batching/batched.js";
import { batchedByNode, batchedByShard } from "../batching/batched-by-shard.js";
import { changeRows } from "../batching/batched-methods.js";
import { serviceExtenderOnCluster } from "../services/extend-service-on-cluster.js";
import { toOrder } from "./order-row.js";
import { orderKeyText } from "../timeline/order-key.js";
import { booleanValue } from "../sql/row.js";
import { serviceStatements } from "../services/service-statements.js";
import type { SqlRow, SqlStatement } from "../sql/sql-client.js";
import type { StatementVariants } from "../batching/statement-variants.js";
import { byDistribution, type StoreClient } from "../cluster/store-client.js";
import type { Tables } from "../sql/tables.js";
import { type TransitionCall, transitionOnCluster } from "./transition-on-cluster.js";
import { transitionStatements } from "./transition-statements.js";

/**
 * Creates the function that changes the payment status. `find` reads an order by its key.
 *
 * On one server, a change takes one statement, even if it extends a service. Concurrent changes
 * share statements. On a cluster, concurrent changes of one shard share a transaction, except
 * changes that extend a service. With direct connections, changes of one node share a transaction.
 */
export function transitionBatches(
  sql: StoreClient,
  tables: Tables,
  find: SqlStatement,
  batching?: BatchOptions,
): (call: TransitionCall) => Promise<TransitionResult | undefined> {
  const { move, moveAndExtend } = transitionStatements(tables);
  const onServer = (variants: StatementVariants) => {
    const method = changeRows(sql, variants, transitionRecord);
    return batched({ keyOf: ({ key }: TransitionCall) => orderKeyText(key), ...method }, batching);
  };
  const [moveOnServer, extendOnServer] = [onServer(move), onServer(moveAndExtend)];
  return byDistribution(sql, {
    server: async (call) =>
      toResult(await (call.change.extendService === undefined ? moveOnServer : extendOnServer)(call)),
    cluster: onCluster(sql, tables, find, batching),
  });
}

/** Creates the function for a cluster, where a service may be on another node than its order. */
function onCluster(sql: StoreClient, tables: Tables, find: SqlStatement, batching?: BatchOptions) {
  const transit = transitionOnCluster(sql, tables, find);
  const extendService = serviceExtenderOnCluster(serviceStatements(tables));
  const batchedCalls = sql.hasNodes ? batchedByNode : batchedByShard;
  const moveTogether = batchedCalls(
    sql,
    tables.orders,
    {
      runOne: (call, near) => transit.runOne(call, near),
      runBatch: transit.runBatch,
      keyOf: ({ key }: TransitionCall) => orderKeyText(key),
      distributionValueOf: ({ key }: TransitionCall) => key.bizNo,
    },
    batching,
  );
  return async (call: TransitionCall): Promise<TransitionResult | undefined> => {
    const { extendService: extension, at } = call.change;
    if (extension === undefined) return toMoved(await moveTogether(call));
    const near = sql.near(tables.orders, call.key.bizNo);
    return near.transaction(async (transaction) => {
      const result = toMoved(await transit.runOne(call, near, transaction));
      if (result?.moved === true && result.order.service !== undefined) {
        const { customerIdentity, appId, id, service } = result.order;
        const time = { ...service, ...extension, at, orderId: id };
        await extendService(transaction, { customerIdentity, appId, ...time });
      }
      return result;
    });
  };
}

function toMoved(done: { readonly changed: boolean; readonly row: SqlRow } | undefined) {
  return done && { moved: done.changed, order: toOrder(done.row) };
}

function toResult([row]: readonly SqlRow[]): TransitionResult | undefined {
  return row && { moved: booleanValue(row, "changed"), order: toOrder(row) };
}

/** Returns the values of a change, by the columns of the statements. */
function transitionRecord({ key, change }: TransitionCall): CallValues {
  const { from, to, at, pmtDt, walletTradeNo, nextQueryAt, entry, extendService } = change;
  return {
    biz_no: key.bizNo,
    app_id: key.appId,
    from_status: from,
    to_status: to,
    at_ms: at,
    new_paid_ms: pmtDt,
    new_trade_no: walletTradeNo,
    next_ms: nextQueryAt,
    entry: appendedText(entry),
    new_service_no: extendService?.serviceNo,
  };
}
