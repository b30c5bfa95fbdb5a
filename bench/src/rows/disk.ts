import type { Bench } from "../harness/bench.js";
import { inProcess } from "../harness/in-process.js";
import type { BenchRow } from "../harness/row.js";
import { diskSizes } from "../shop/disk-sizes.js";
import { openShop } from "../shop/open-shop.js";
import { openPaidOrders } from "../shop/paid-orders.js";

/** Measures the bytes on disk for each paid order, in the tables and in their indexes. */
export async function diskRow(bench: Bench): Promise<BenchRow> {
  const orders = bench.quick ? 2_000 : 50_000;
  const shop = await openShop(await bench.database());
  await shop.sql.close();
  const paid = await openPaidOrders(shop);
  await paid.fill(orders);
  // Half a byte per order leaves out the tables that do not grow with the orders.
  const sizes = await diskSizes(shop.facts, Math.max(orders / 2, 65_536));
  const total = sizes.reduce((sum, { bytes }) => sum + bytes, 0);
  const lines = [...sizes, { name: "all", bytes: total }];
  return {
    work: `creating and paying an order with all statements of the stores, and its bytes on disk after ${orders.toLocaleString("en")} of them`,
    contestants: [
      inProcess({ name: "an order created and paid, 16 at once", role: "ours", atOnce: 16, once: paid.once }),
    ],
    ...(bench.quick ? { lessData: "2,000 orders, whose indexes fill few pages, instead of 50,000" } : {}),
    counts: {
      title: "bytes per paid order",
      lines: lines.map(({ name, bytes }) => ({ name, count: Math.round(bytes / orders) })),
    },
    targets: [
      {
        kind: "count",
        what: "bytes per paid order, with all indexes and the timeline",
        is: Math.round(total / orders),
        atMost: 1_400,
      },
    ],
    close: paid.close,
  };
}
