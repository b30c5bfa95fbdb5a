import type { Stores } from "@tillkit/core";
import { describe } from "vitest";
import { type Opened, openBeforeEach } from "../../support/open-before-each.js";
import { lostRaces } from "./orders/lost-races.js";
import { orderAlarms } from "./orders/order-alarms.js";
import { orderBills } from "./orders/order-bills.js";
import { orderConnection } from "./orders/order-connection.js";
import { orderImport } from "./orders/order-import.js";
import { orderExport } from "./orders/order-export.js";
import { orderList } from "./orders/order-list.js";
import { orderPrepayments } from "./orders/order-prepayments.js";
import { orderQueries } from "./orders/order-queries.js";
import { orderRecords } from "./orders/order-records.js";
import { orderServiceTime } from "./orders/order-service-time.js";
import { orderShipments } from "./orders/order-shipments.js";
import { orderTimeline } from "./orders/order-timeline.js";
import { orderTransitions } from "./orders/order-transitions.js";

/**
 * Tests every requirement of `OrderStore`, including the services that it writes.
 *
 * `open` returns empty stores for each test.
 */
export function orderStoreContract(
  adapter: string,
  open: () => Promise<Opened<Pick<Stores, "orders" | "services" | "refunds" | "auditLog">>>,
): void {
  describe(`OrderStore contract: ${adapter}`, () => {
    const stores = openBeforeEach(open);
    orderRecords(stores);
    orderList(stores);
    orderBills(stores);
    orderExport(stores);
    orderImport(stores);
    orderConnection(stores);
    orderPrepayments(stores);
    orderTransitions(stores);
    orderServiceTime(stores);
    orderTimeline(stores);
    orderAlarms(stores);
    lostRaces(stores);
    orderQueries(stores);
    orderShipments(stores);
  });
}
