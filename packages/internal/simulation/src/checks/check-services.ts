import type { Order, TimelineEvent } from "@tillkit/core";
import type { InvariantCheck } from "../snapshot.js";
import { MONTH, PURCHASES } from "../scenario.js";
import { invariant } from "../violation.js";

/**
 * Checks that each paid order extends the service by a month, unless it was fully refunded.
 *
 * Each order counts once, in the sequence of the payments. A partially refunded order adds its
 * whole month.
 */
export function checkServices(): InvariantCheck {
  // By `bizNo`: the rank in which the order was first seen as paid.
  const paidAs = new Map<string, number>();
  const identities = new Set(PURCHASES.map(({ customerIdentity }) => customerIdentity));
  return ({ sales, services }) => {
    const bought = new Map<string, { readonly order: Order; readonly at: number }[]>();
    for (const { purchase, order, events } of sales) {
      const payment = purchase.serviceTypeNo === undefined ? undefined : events.find(isPayment);
      if (payment === undefined) continue;
      const { bizNo, customerIdentity } = order;
      if (!paidAs.has(bizNo)) paidAs.set(bizNo, paidAs.size);
      bought.set(customerIdentity, [...(bought.get(customerIdentity) ?? []), { order, at: payment.at }]);
    }
    for (const customerIdentity of identities) {
      const service = services.get(customerIdentity);
      const orders = bought.get(customerIdentity) ?? [];
      invariant(
        "service time requires a payment",
        (service === undefined) === (orders.length === 0),
        () => customerIdentity,
      );
      const inOrder = orders
        .filter(({ order }) => order.paymentStatus === "PAID")
        .sort((left, right) => (paidAs.get(left.order.bizNo) ?? 0) - (paidAs.get(right.order.bizNo) ?? 0));
      if (service === undefined || inOrder.length === 0) continue;
      const expireTime = inOrder.reduce((end, { at }) => Math.max(at, end) + MONTH, 0);
      invariant("a service is extended once per paid order", service.expireTime === expireTime, () => {
        return `${customerIdentity} has until ${String(service.expireTime)}, not ${String(expireTime)}`;
      });
    }
  };
}

function isPayment({ type }: TimelineEvent): boolean {
  return type === "PAID" || type === "LATE_PAYMENT";
}
