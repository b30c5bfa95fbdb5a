import { appHeaders, type ShopFacts } from "../shop/shop-facts.js";
import type { Load } from "./load.js";

/** Reads one of `orders` filled-in orders by its number a work. */
export function readOrders(facts: ShopFacts, orders: number): Load {
  return {
    connections: 16,
    among: orders,
    steps: [
      {
        method: "GET",
        path: "/pay/detail.json?bizNo=b-{n}&customerIdentity=u-{n}",
        headers: appHeaders(facts),
      },
    ],
    expects: '"paymentStatus":"PAID"',
  };
}
