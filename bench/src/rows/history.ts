import { type Bench, oncePerBench } from "../harness/bench.js";
import { databaseAlone } from "../harness/database-alone.js";
import { startServer } from "../harness/over-http.js";
import type { BenchRow } from "../harness/row.js";
import { readHistory } from "../load/read-orders.js";
import { countOrders, readPage } from "../servers/by-hand/order-record.js";
import { fillOrders } from "../shop/fill-orders.js";
import { openShop } from "../shop/open-shop.js";
import { startTillkit, underSharedLoad } from "../shop/tillkit-on.js";

/** The number of orders of all customers together. No customer can have more. */
const ORDERS = { full: 100_000, quick: 20_000 };
const PAGE_SIZE = 20;
const BY_HAND = "Express 5 and two queries, by hand";

/** Measures a page of 20 orders of a customer who has `wanted` orders. */
export async function historyRow(bench: Bench, wanted: number, page: number): Promise<BenchRow> {
  const { facts, filled, node, byHand } = await historyServers(bench, wanted);
  const ofCustomer = filled.orders / filled.customers;
  const load = readHistory(facts, { ...filled, page });
  const before = (page - 1) * PAGE_SIZE;
  const customer = [facts.appId, "u-{n}"];
  const database = await databaseAlone("the database alone, pipelined", {
    databaseUrl: facts.databaseUrl,
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
    contestants: [
      await underSharedLoad({ name: "Tillkit on node:http", role: "ours", load }, node),
      await underSharedLoad({ name: BY_HAND, role: "alternative", load }, byHand),
      database,
    ],
    targets: [{ kind: "speed", than: BY_HAND, atLeast: 1 }],
    ...(ofCustomer < wanted
      ? {
          lessData: `${ofCustomer.toLocaleString("en")} orders of a customer instead of ${wanted.toLocaleString("en")}`,
        }
      : {}),
  };
}

/** The shop and the servers for all pages of customers who have `wanted` orders. */
const historyServers = oncePerBench(async (bench: Bench, wanted: number) => {
  const { facts, ...shop } = await openShop(await bench.database());
  const orders = ORDERS[bench.quick ? "quick" : "full"];
  const filled = { orders, customers: orders / Math.min(wanted, orders) };
  await fillOrders({ facts, ...shop }, filled);
  await shop.sql.close();
  const node = await startTillkit("node", bench, facts);
  const program = new URL("../servers/by-hand/history.ts", import.meta.url);
  const byHand = await startServer({ program, facts });
  bench.atClose(async () => {
    await node.close();
    await byHand.close();
  });
  return { facts, filled, node, byHand };
});
