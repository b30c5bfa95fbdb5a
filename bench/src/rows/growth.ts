import type { Bench } from "../harness/bench.js";
import type { BenchRow } from "../harness/row.js";
import { checkSessions } from "../load/check-sessions.js";
import { createOrders } from "../load/create-orders.js";
import type { Load } from "../load/load.js";
import { readHistory, readOrders } from "../load/read-orders.js";
import { fillOrders } from "../shop/fill-orders.js";
import { fillSessions } from "../shop/fill-sessions.js";
import { openWalletBShop } from "../shop/open-wallet-b-shop.js";
import type { ShopFacts } from "../shop/shop-facts.js";
import { tillkitOn } from "../shop/tillkit-on.js";

/** So few connections that requests do not wait for each other. */
const CONNECTIONS = 4;
const ORDERS_OF_CUSTOMER = 50;

/** A shop with so many orders, fifty per customer, and as many sessions. */
interface GrownShop {
  readonly facts: ShopFacts;
  readonly orders: number;
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

/** Measures what five hundred times as many orders and sessions change about `what`. */
export async function growthRow(bench: Bench, what: keyof typeof LOADS): Promise<BenchRow> {
  const { many, few } = await grownShops(bench);
  const { work, loadOf } = LOADS[what];
  const contestant = (shop: GrownShop, role: "ours" | "limit") =>
    tillkitOn("node", bench, {
      name: nameOf(shop),
      role,
      facts: shop.facts,
      load: loadOf(shop),
      // Each shop has its own app, so the answers differ.
      essence: () => undefined,
    });
  return {
    work: `${work}, ${CONNECTIONS} connections, the same server with many and with few orders and sessions`,
    contestants: [await contestant(many, "ours"), await contestant(few, "limit")],
    targets: [{ kind: "p50", than: nameOf(few), atMost: 1.3 }],
    ...(what === "create-b" ? {} : { warmUp: "long" }),
  };
}

function nameOf({ orders }: GrownShop): string {
  return `Tillkit, ${orders.toLocaleString("en")} orders and sessions`;
}

function filledWith(orders: number) {
  return { orders, customers: orders / ORDERS_OF_CUSTOMER };
}

type GrownShops = Readonly<Record<"few" | "many", GrownShop>>;

/** Filled once per run, because it takes minutes. */
const shopsOf = new WeakMap<Bench, Promise<GrownShops>>();

function grownShops(bench: Bench): Promise<GrownShops> {
  const filled = shopsOf.get(bench) ?? fillShops(bench);
  shopsOf.set(bench, filled);
  return filled;
}

async function fillShops(bench: Bench): Promise<GrownShops> {
  const [few, many] = bench.quick ? [1_000, 20_000] : [10_000, 5_000_000];
  return { few: await grownShop(bench, few), many: await grownShop(bench, many) };
}

async function grownShop(bench: Bench, orders: number): Promise<GrownShop> {
  const shop = await openWalletBShop(bench);
  await fillSessions(shop, orders);
  await fillOrders(shop, { ...filledWith(orders), byHand: false });
  await shop.sql.close();
  return { facts: shop.facts, orders };
}
