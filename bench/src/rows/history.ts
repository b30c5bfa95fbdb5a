import type { Bench } from "../harness/bench.js";
import { overHttp } from "../harness/over-http.js";
import type { Row } from "../harness/row.js";
import type { Load } from "../load/load.js";
import { fillOrders } from "../shop/fill-orders.js";
import { openShop } from "../shop/open-shop.js";
import { appHeaders } from "../shop/shop-facts.js";
import { tillkitOn } from "../shop/tillkit-on.js";

/** Orders of all customers together. */
const ORDERS = 100_000;

/** A page of 20 of the orders of a customer who has so many. */
export async function historyRow(bench: Bench, ofCustomer: number, page: number): Promise<Row> {
  const shop = await openShop(await bench.database());
  const customers = ORDERS / ofCustomer;
  await fillOrders(shop, ORDERS, customers);
  const load: Load = {
    connections: 16,
    among: customers,
    steps: [
      {
        method: "GET",
        path: `/pay/history.json?customerIdentity=u-{n}&pageNum=${page}`,
        headers: appHeaders(shop.facts),
      },
    ],
    expects: `"totalCount":${ofCustomer}`,
  };
  const byHand = "Express 5 and two queries, by hand";
  return {
    work: `GET /history.json, page ${page} of ${ofCustomer.toLocaleString("en")} orders`,
    contestants: [
      await tillkitOn("express", bench, { facts: shop.facts, load }),
      await overHttp({
        name: byHand,
        role: "alternative",
        program: new URL("../servers/by-hand/history.ts", import.meta.url),
        facts: shop.facts,
        load,
      }),
    ],
    targets: [{ than: byHand, atLeast: 1 }],
    close: () => shop.sql.close(),
  };
}
