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
