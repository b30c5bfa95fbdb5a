import { appHeaders, type ShopFacts } from "../shop/shop-facts.js";
import { CONNECTIONS, type Load } from "./load.js";

/** Creates one new order per operation, with the usual fields of an app's request. */
export function createOrders(
  facts: ShopFacts,
  payChannel: "WALLET_A" | "WALLET_B",
  connections = CONNECTIONS,
): Load {
  return {
    connections,
    steps: [
      {
        method: "POST",
        path: "/pay/order.json",
        headers: { ...appHeaders(facts), "content-type": "application/json" },
        body: JSON.stringify({
          amount: 600,
          bizNo: "{run}-{n}",
          goodsTitle: "One month",
          payChannel,
          customerIdentity: "buyer-{n}",
          attachData: '{"sku":"vip-1"}',
          sourceFrom: "store_01",
        }),
      },
    ],
    expects: '"code":0',
  };
}

/** Creates an order as {@link createOrders}, and then reads one of the filled-in orders. */
export function createAndReadOrders(facts: ShopFacts, { orders }: { readonly orders: number }): Load {
  const { steps, ...load } = createOrders(facts, "WALLET_B");
  const read = {
    method: "GET",
    path: "/pay/detail.json?bizNo=b-{customer}&customerIdentity=u-{customer}",
    headers: appHeaders(facts),
  } as const;
  return { ...load, customers: orders, steps: [...steps, read] };
}
