import { describe } from "vitest";
import { type Opened, openBeforeEach } from "../../../support/open-before-each.js";
import type { EventStores } from "../../../support/stores/deliveries.js";
import { deliveryClaims } from "./delivery-claims.js";
import { deliveryPages } from "./delivery-pages.js";
import { deliveryReplays } from "./delivery-replays.js";
import { dueDeliveries } from "./due-deliveries.js";
import { eventHandlers } from "./event-handlers.js";

/**
 * Tests every requirement of `EventDeliveryStore`, including the appends of orders and refunds.
 *
 * `open` returns empty stores for each test.
 *
 * @example
 * ```ts
 * import { eventDeliveryStoreContract } from "@tillkit/contract-tests";
 * import { memoryStores } from "@tillkit/memory";
 *
 * eventDeliveryStoreContract("memory", async () => ({
 *   port: memoryStores(),
 *   close: async () => {},
 * }));
 * ```
 */
export function eventDeliveryStoreContract(adapter: string, open: () => Promise<Opened<EventStores>>): void {
  describe(`EventDeliveryStore contract: ${adapter}`, () => {
    const stores = openBeforeEach(open);
    eventHandlers(stores);
    dueDeliveries(stores);
    deliveryClaims(stores);
    deliveryReplays(stores);
    deliveryPages(stores);
  });
}
