import { integer } from "../sql/row.js";
import type { ServiceStatements } from "./service-statements.js";
import type { SqlQueries, SqlValue } from "../sql/sql-client.js";

/** The time that an order adds to a service. */
export interface ServiceExtension {
  readonly customerIdentity: string;
  readonly appId: string;
  readonly serviceTypeNo: string;
  /** The number of the service if it is new. */
  readonly serviceNo: string;
  readonly serviceName: string;
  /** Epoch milliseconds. */
  readonly at: number;
  readonly durationMs: number;
  readonly orderId: string;
}

/**
 * Creates the function that adds the purchased time of an order in a transaction, once per order.
 *
 * A cluster cannot route an `insert` in a CTE, so each table has its own statement.
 */
export function serviceExtenderOnCluster({
  findGrant,
  addTime,
  insertGrant,
}: ServiceStatements): (transaction: SqlQueries, extension: ServiceExtension) => Promise<void> {
  return async (transaction, extension) => {
    const { customerIdentity, appId, serviceTypeNo, orderId, at, durationMs } = extension;
    const key: readonly SqlValue[] = [customerIdentity, appId, serviceTypeNo];
    // If another transaction stores the same grant meanwhile, the key of the grant makes this
    // transaction fail.
    if ((await transaction.query(findGrant, [...key, orderId])).length > 0) return;
    const time = [...key, extension.serviceNo, extension.serviceName, at, durationMs];
    const [service] = await transaction.query(addTime, time);
    if (service === undefined) throw new Error("The service was neither stored nor extended.");
    await transaction.query(insertGrant, [...key, orderId, integer(service, "grants_made"), at, durationMs]);
  };
}
