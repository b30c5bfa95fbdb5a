import type { Bench } from "../harness/bench.js";
import { databaseAlone } from "../harness/database-alone.js";
import { overHttp } from "../harness/over-http.js";
import type { BenchRow } from "../harness/row.js";
import { sameBytes } from "../harness/same-bytes.js";
import { readOrders } from "../load/read-orders.js";
import { READ_ORDER } from "../servers/by-hand/order-record.js";
import { fillOrders } from "../shop/fill-orders.js";
import { openShop } from "../shop/open-shop.js";
import { tillkitOn } from "../shop/tillkit-on.js";

/** Measures reading one of a million orders by its number. */
export async function detailRow(bench: Bench): Promise<BenchRow> {
  const shop = await openShop(await bench.database());
  const orders = bench.quick ? 10_000 : 1_000_000;
  await fillOrders(shop, { orders });
  const load = readOrders(shop.facts, { orders });
  const node = await tillkitOn("node", bench, { facts: shop.facts, load });
  const express = await tillkitOn("express", bench, { facts: shop.facts, load });
  const byHand = await overHttp({
    name: "Express 5 and one query, by hand",
    role: "alternative",
    program: new URL("../servers/by-hand/detail.ts", import.meta.url),
    facts: shop.facts,
    load,
  });
  const bareExpress = await sameBytes("express", node, load);
  const bareNode = await sameBytes("node", node, load);
  const database = await databaseAlone("the database alone, pipelined", {
    databaseUrl: shop.facts.databaseUrl,
    connections: 2,
    among: orders,
    steps: [{ text: READ_ORDER, values: [shop.facts.appId, "b-{n}", "u-{n}"] }],
  });
  return {
    work: `GET /detail.json, one of ${orders.toLocaleString("en")} orders`,
    contestants: [node, express, byHand, bareExpress, bareNode, database],
    ...(bench.quick ? { lessData: `${orders.toLocaleString("en")} orders instead of a million` } : {}),
    targets: [
      { kind: "less-cpu", than: byHand.name, atLeast: 4 },
      { kind: "cpu", than: bareNode.name, atMost: 2.1 },
      { kind: "speed", than: bareNode.name, atLeast: 0.4 },
      { kind: "less-cpu", ours: express.name, than: bareExpress.name, atLeast: 0.85 },
    ],
    close: () => shop.sql.close(),
  };
}
