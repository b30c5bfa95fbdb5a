import { type Bench, oncePerBench } from "../harness/bench.js";
import type { RunningServer } from "../harness/over-http.js";
import type { BenchRow } from "../harness/row.js";
import type { Target } from "../harness/target.js";
import { checkSessions } from "../load/check-sessions.js";
import { createOrders } from "../load/create-orders.js";
import type { Load } from "../load/load.js";
import { readHistory, readOrders } from "../load/read-orders.js";
import { fillOrders } from "../shop/fill-orders.js";
import { fillSessions } from "../shop/fill-sessions.js";
import { openWalletBShop } from "../shop/open-wallet-b-shop.js";
import { pagesOfCheck } from "../shop/pages-of-check.js";
import type { ShopFacts } from "../shop/shop-facts.js";
import { startTillkit, underSharedLoad } from "../shop/tillkit-on.js";

/** So few connections that requests do not wait for each other. */
const CONNECTIONS = 4;
const ORDERS_OF_CUSTOMER = 50;

/** A shop with `orders` orders, fifty per customer, and as many sessions. */
interface GrownShop {
  readonly facts: ShopFacts;
  readonly orders: number;
  readonly server: RunningServer;
}

const LOADS = {
  "create-b": {
    work: "POST /order.json for WALLET_B",
    loadOf: ({ facts }) => createOrders(facts, "WALLET_B", CONNECTIONS),
  },
  detail: {
    work: "GET /detail.json",
    loadOf: ({ facts, orders }) => readOrders(facts, { ...filledWith(orders), connections: CONNECTIONS }),
  },
  "check-auth": {
    work: "GET /checkAuth.json",
    loadOf: ({ facts, orders }) => checkSessions(facts, { sessions: orders, connections: CONNECTIONS }),
  },
  history: {
    work: "GET /history.json, the first page",
    loadOf: ({ facts, orders }) => readHistory(facts, { ...filledWith(orders), connections: CONNECTIONS }),
  },
} as const satisfies Record<string, { readonly work: string; readonly loadOf: (shop: GrownShop) => Load }>;

/** Measures how `what` changes with 500 times as many orders and sessions (20 in a quick run). */
export async function growthRow(bench: Bench, what: keyof typeof LOADS): Promise<BenchRow> {
  const few = await grownShop(bench, "few");
  const many = await grownShop(bench, "many");
  const { work, loadOf } = LOADS[what];
  const contestant = (shop: GrownShop, role: "ours" | "limit") =>
    underSharedLoad(
      {
        name: nameOf(shop),
        role,
        load: loadOf(shop),
        // Each shop has its own app, so the answers differ.
        essence: () => undefined,
      },
      shop.server,
    );
  const pages = what === "check-auth" ? await pagesOf([many, few]) : undefined;
  return {
    work: `${work}, ${CONNECTIONS} connections, the same server with many and with few orders and sessions`,
    contestants: [await contestant(many, "ours"), await contestant(few, "limit")],
    ...(pages === undefined ? {} : { counts: pages.counts }),
    targets: [
      { kind: "p50", than: nameOf(few), atMost: what === "check-auth" ? 1.2 : 1.3 },
      ...(pages === undefined ? [] : [pages.target]),
    ],
    ...(what === "create-b" ? {} : { warmUp: "long" }),
    ...(bench.quick ? { lessData: "20,000 orders instead of 5,000,000" } : {}),
  };
}

/** Counts the pages that the database reads per check, which no other load changes. */
async function pagesOf([many, few]: readonly [GrownShop, GrownShop]) {
  const count = ({ facts, orders }: GrownShop) => pagesOfCheck(facts, orders);
  const [ofMany, ofFew] = [await count(many), await count(few)];
  const lines = [
    { name: nameOf(many), count: ofMany },
    { name: nameOf(few), count: ofFew },
  ];
  const what = `pages per check with ${nameOf(many)}, in percent of those with ${nameOf(few)}`;
  const target: Target = { kind: "count", what, is: Math.round((100 * ofMany) / ofFew), atMost: 120 };
  return { counts: { title: "pages per check", lines }, target };
}

function nameOf({ orders }: GrownShop): string {
  return `Tillkit, ${orders.toLocaleString("en")} orders and sessions`;
}

function filledWith(orders: number) {
  return { orders, customers: orders / ORDERS_OF_CUSTOMER };
}

/** The numbers of orders and of sessions. */
const SIZES = { full: { few: 10_000, many: 5_000_000 }, quick: { few: 1_000, many: 20_000 } } as const;

/**
 * Filled once per run, because it takes minutes.
 *
 * The rows also share the server: its connections keep the pages that PostgreSQL has mapped.
 */
const grownShop = oncePerBench(async (bench: Bench, size: "few" | "many"): Promise<GrownShop> => {
  const orders = SIZES[bench.quick ? "quick" : "full"][size];
  const shop = await openWalletBShop(bench);
  await fillSessions(shop, orders);
  await fillOrders(shop, { ...filledWith(orders), byHand: false });
  await shop.sql.close();
  const server = await startTillkit("node", bench, shop.facts);
  bench.atClose(server.close);
  return { facts: shop.facts, orders, server };
});
