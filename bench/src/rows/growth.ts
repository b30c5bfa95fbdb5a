import type { Bench } from "../harness/bench.js";
import type { Contestant, Role, Row } from "../harness/row.js";
import { readOrders } from "../load/read-orders.js";
import { fillOrders } from "../shop/fill-orders.js";
import { openShop, type Shop } from "../shop/open-shop.js";
import { tillkitOn } from "../shop/tillkit-on.js";

/** What five hundred times as many orders change about reading one of them. */
export async function growthRow(bench: Bench): Promise<Row> {
  const [few, many] = bench.quick ? [1_000, 20_000] : [10_000, 5_000_000];
  const shops: Shop[] = [];
  const contestant = async (orders: number, role: Role): Promise<Contestant> => {
    const shop = await openShop(await bench.database());
    shops.push(shop);
    await fillOrders(shop, orders);
    const load = readOrders(shop.facts, orders);
    return tillkitOn("express", bench, {
      name: nameOf(orders),
      role,
      facts: shop.facts,
      load,
      // Each shop has an app of its own.
      essence: () => undefined,
    });
  };
  return {
    work: "GET /detail.json, the same server with a small and with a large table",
    contestants: [await contestant(many, "ours"), await contestant(few, "limit")],
    targets: [{ than: nameOf(few), atLeast: 0.8 }],
    close: async () => {
      for (const { sql } of shops) await sql.close();
    },
  };
}

function nameOf(orders: number): string {
  return `Tillkit, ${orders.toLocaleString("en")} orders`;
}
