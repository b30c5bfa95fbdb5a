import type { Bench } from "../harness/bench.js";
import { databaseAlone } from "../harness/database-alone.js";
import { overHttp } from "../harness/over-http.js";
import type { BenchRow } from "../harness/row.js";
import { readHistory } from "../load/read-orders.js";
import { countOrders, readPage } from "../servers/by-hand/order-record.js";
import { fillOrders } from "../shop/fill-orders.js";
import { openShop } from "../shop/open-shop.js";
import { tillkitOn } from "../shop/tillkit-on.js";

/** The orders of all customers together. */
const ORDERS = 100_000;
const PAGE_SIZE = 20;

/** Measures a page of 20 orders of a customer who has `ofCustomer` orders. */
export async function historyRow(bench: Bench, ofCustomer: number, page: number): Promise<BenchRow> {
  const shop = await openShop(await bench.database());
  const filled = { orders: ORDERS, customers: ORDERS / ofCustomer };
  await fillOrders(shop, filled);
  const load = readHistory(shop.facts, { ...filled, page });
  const before = (page - 1) * PAGE_SIZE;
  const customer = [shop.facts.appId, "u-{n}"];
  const node = await tillkitOn("node", bench, { facts: shop.facts, load });
  const byHand = await overHttp({
    name: "Express 5 and two queries, by hand",
    role: "alternative",
    program: new URL("../servers/by-hand/history.ts", import.meta.url),
    facts: shop.facts,
    load,
  });
  const database = await databaseAlone("the database alone, pipelined", {
    databaseUrl: shop.facts.databaseUrl,
    connections: 2,
    among: filled.customers,
    steps: [
      {
        text: readPage(undefined),
        values: [...customer, `${PAGE_SIZE}`, `${before}`],
        rows: Math.min(PAGE_SIZE, ofCustomer - before),
      },
      { text: countOrders(undefined), values: customer },
    ],
  });
  return {
    work: `GET /history.json, page ${page} of ${ofCustomer.toLocaleString("en")} orders`,
    contestants: [node, byHand, database],
    targets: [{ kind: "speed", than: byHand.name, atLeast: 1 }],
    close: () => shop.sql.close(),
  };
}
