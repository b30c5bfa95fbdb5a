import { appHeaders, type ShopFacts } from "../shop/shop-facts.js";
import { CONNECTIONS, type Load } from "./load.js";

/** The filled-in orders, and how to read them. */
export interface FilledOrders {
  readonly orders: number;
  /** Defaults to the number of orders. */
  readonly customers?: number;
  readonly connections?: number;
}

/** Reads one of the filled-in orders by its number per operation. */
export function readOrders(
  facts: ShopFacts,
  { orders, customers = orders, connections = CONNECTIONS }: FilledOrders,
): Load {
  return {
    connections,
    among: orders,
    customers,
    steps: [
      {
        method: "GET",
        path: "/pay/detail.json?bizNo=b-{n}&customerIdentity=u-{customer}",
        headers: appHeaders(facts),
      },
    ],
    expects: '"paymentStatus":"PAID"',
  };
}

/** Reads a page of 20 of a customer's filled-in orders per operation. */
export function readHistory(
  facts: ShopFacts,
  {
    orders,
    customers = orders,
    connections = CONNECTIONS,
    page = 1,
  }: FilledOrders & { readonly page?: number },
): Load {
  return {
    connections,
    among: customers,
    steps: [
      {
        method: "GET",
        path: `/pay/history.json?customerIdentity=u-{n}&pageNum=${page}`,
        headers: appHeaders(facts),
      },
    ],
    expects: `"totalCount":${orders / customers}`,
  };
}
