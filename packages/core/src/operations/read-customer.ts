import { ok, type ResultAsync } from "neverthrow";
import type { StorageFailure } from "../errors/failure.js";
import type { Ports } from "../ports.js";
import type { CustomerService } from "../services/service-type.js";
import { attempt } from "../shared/attempt.js";
import type { OrderPosition } from "./order-search.js";

/**
 * The size of a page of orders, and the maximum number of pages that {@link readCustomer} reads.
 */
const PAGE_SIZE = 100;
const MAX_PAGES = 5;

/** What an operator sees about a customer, beside the orders. */
export interface CustomerSummary {
  /** Oldest first, including expired services. */
  readonly services: readonly CustomerService[];
  /** The sums of the newest orders. */
  readonly totals: {
    readonly orders: number;
    /** The sum of the paid orders, including refunded ones, in cents. */
    readonly paid: number;
    /** Cents. */
    readonly refunded: number;
    /** Whether the customer may have older orders, which the sums do not contain. */
    readonly isLeast: boolean;
  };
}

/**
 * Reads what an operator sees about a customer: services and sums.
 *
 * Sums at most the newest 500 orders, so that the cost is bounded. Any text is a valid identity. An
 * unknown identity has no services, and its sums are 0.
 *
 * @returns the services and the sums of the orders.
 * @example
 * ```ts
 * import { readCustomer } from "@tillkit/core/operators";
 *
 * const customer = await readCustomer(ports, "app_1", "customer-7");
 * ```
 */
export function readCustomer(
  ports: Pick<Ports, "services" | "orderSearch">,
  appId: string,
  customerIdentity: string,
): ResultAsync<CustomerSummary, StorageFailure> {
  return attempt(async () => {
    const services = await ports.services.list(appId, customerIdentity);
    if (services.isErr()) return services;
    const totals = { orders: 0, paid: 0, refunded: 0 };
    let before: OrderPosition | undefined;
    for (let page = 0; page < MAX_PAGES; page += 1) {
      const list = await ports.orderSearch.list({
        apps: [appId],
        customerIdentity,
        before,
        limit: PAGE_SIZE,
      });
      if (list.isErr()) return list;
      for (const { order } of list.value.items) {
        totals.orders += 1;
        if (order.paymentStatus === "PAID" || order.paymentStatus === "REFUND") totals.paid += order.amount;
        totals.refunded += order.refundedAmount;
      }
      before = list.value.next;
      if (before === undefined) break;
    }
    return ok({
      services: services.value,
      totals: { ...totals, isLeast: before !== undefined },
    });
  });
}
