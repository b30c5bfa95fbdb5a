import type { Stores } from "@tillkit/core";
import { describe } from "vitest";
import { type Opened, openBeforeEach } from "../../../support/open-before-each.js";
import { lostRaces } from "./lost-races.js";
import { orderAlarms } from "./order-alarms.js";
import { orderBills } from "./order-bills.js";
import { orderConnection } from "./order-connection.js";
import { orderImport } from "./order-import.js";
import { orderExport } from "./order-export.js";
import { orderList } from "./order-list.js";
import { orderPrepayments } from "./order-prepayments.js";
import { orderQueries } from "./order-queries.js";
import { orderRecords } from "./order-records.js";
import { orderServiceTime } from "./order-service-time.js";
import { orderShipments } from "./order-shipments.js";
import { orderTimeline } from "./order-timeline.js";
import { orderTransitions } from "./order-transitions.js";

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
