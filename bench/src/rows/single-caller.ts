import type { Bench } from "../harness/bench.js";
import type { BenchRow } from "../harness/row.js";
import { createOrders } from "../load/create-orders.js";
import { readOrders } from "../load/read-orders.js";
import { fillOrders } from "../shop/fill-orders.js";
import { openWalletBShop } from "../shop/open-wallet-b-shop.js";
import { tillkitOn } from "../shop/tillkit-on.js";

const ORDERS = 10_000;
/** Two runs of the same server differ by this factor in their 99th percentile. */
const NOISE = 1.1;

/** Measures what batched statements cost a caller who is alone. */
export async function singleCallerRow(bench: Bench, what: "detail" | "create-b"): Promise<BenchRow> {
  const shop = await openWalletBShop(bench);
  const { facts, sql } = shop;
  await fillOrders(shop, { orders: ORDERS, byHand: false });
  const load =
    what === "detail"
      ? readOrders(facts, { orders: ORDERS, connections: 1 })
      : createOrders(facts, "WALLET_B", 1);
  // Payloads differ by their time.
  const essence = () => undefined;
  const alone = "Tillkit, one statement per call";
  const batched = await tillkitOn("node", bench, {
    name: "Tillkit, batched statements",
    facts,
    load,
    essence,
  });
  const each = await tillkitOn("node", bench, {
    name: alone,
    facts: { ...facts, batching: { maxBatchSize: 1 } },
    load,
    essence,
  });
  return {
    work: `${what === "detail" ? "GET /detail.json" : "POST /order.json for WALLET_B"}, one connection`,
    contestants: [batched, each],
    targets: [{ kind: "p99", than: alone, atMost: NOISE }],
    close: () => sql.close(),
  };
}
