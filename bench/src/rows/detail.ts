import type { Bench } from "../harness/bench.js";
import { overHttp } from "../harness/over-http.js";
import { ownProgram } from "../harness/own-program.js";
import type { Row } from "../harness/row.js";
import { sameBytes } from "../harness/same-bytes.js";
import { readOrders } from "../load/read-orders.js";
import { fillOrders } from "../shop/fill-orders.js";
import { openShop } from "../shop/open-shop.js";
import { tillkitOn } from "../shop/tillkit-on.js";

/** Reading one order of very many by its number. */
export async function detailRow(bench: Bench): Promise<Row> {
  const shop = await openShop(await bench.database());
  const orders = bench.quick ? 10_000 : 1_000_000;
  await fillOrders(shop, orders);
  const load = readOrders(shop.facts, orders);
  const ours = await tillkitOn("express", bench, { facts: shop.facts, load });
  const byHand = "Express 5 and one query, by hand";
  return {
    work: `GET /detail.json, one of ${orders.toLocaleString("en")} orders`,
    contestants: [
      ours,
      await tillkitOn("node", bench, { facts: shop.facts, load }),
      await overHttp({
        name: byHand,
        role: "alternative",
        program: new URL("../servers/by-hand/detail.ts", import.meta.url),
        facts: shop.facts,
        load,
      }),
      await sameBytes(ours, load),
      await ownProgram({
        name: "the database alone, pipelined",
        role: "limit",
        program: new URL("../servers/database-reads.ts", import.meta.url),
        facts: { ...shop.facts, orders },
      }),
    ],
    targets: [{ than: byHand, atLeast: 1 }],
    close: () => shop.sql.close(),
  };
}
