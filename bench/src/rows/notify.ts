import type { Bench } from "../harness/bench.js";
import type { Contestant, BenchRow } from "../harness/row.js";
import { supplied } from "../harness/supplied.js";
import { CONNECTIONS } from "../load/load.js";
import { fillPendingOrders, type NotifiedShop, type PendingOrders } from "../shop/fill-pending-orders.js";
import { openWalletBShop, type WalletBShop } from "../shop/open-wallet-b-shop.js";
import { signNotifications } from "../shop/sign-notifications.js";
import { tillkitOn } from "../shop/tillkit-on.js";
import { batchedPayments, BATCHED, singlePayments } from "./payments-by-hand.js";

/** More notifications per second than Tillkit reaches in a first round. */
const PER_SECOND = 6_000;

/** The title of Tillkit in rows of notifications. */
export const TITLE = "Tillkit on node:http";

/** The target for Tillkit's speed, as a multiple of the speed of {@link batchedPayments}. */
export const LEAST_OF_BATCHED = 0.5;

/**
 * Measures a payment notification of WALLET_B: verified, and PAID is committed before the answer.
 */
export async function notifyRow(bench: Bench): Promise<BenchRow> {
  const shop = await openWalletBShop(bench);
  const [sample] = await signNotifications(shop, { name: "X", first: 1, last: 1 });
  const { text = "", signature = "" } = sample ?? {};
  const check = { publicKey: shop.keys.alipayPublicKey, text, signature };
  return {
    work: "a notification of WALLET_B, verified, its order committed as PAID",
    contestants: [
      await notifiedTillkit(bench, shop, { title: TITLE, name: "P", service: false }),
      await notifiedTillkit(bench, shop, {
        title: `${TITLE}, a service extended too`,
        name: "S",
        service: true,
      }),
      await batchedPayments(shop, check),
      await singlePayments(shop, check),
    ],
    targets: [{ kind: "speed", than: BATCHED, atLeast: LEAST_OF_BATCHED, orPerSecond: 4_000 }],
    close: () => shop.sql.close(),
  };
}

/** Starts Tillkit, which receives notifications of its pending orders. */
export function notifiedTillkit(
  bench: Bench,
  shop: WalletBShop,
  { title, ...orders }: NotifiedOrders & { readonly title: string },
): Promise<Contestant> {
  return receivingTillkit(bench, shop, {
    title,
    orders,
    sign: async (range) => {
      const signed = await signNotifications(shop, range);
      return signed.map(({ ref, body }) => ({ ref, body }));
    },
    headers: { "content-type": "application/x-www-form-urlencoded; charset=utf-8" },
    expects: "success",
  });
}

/** Orders whose number grows with the rounds. */
type NotifiedOrders = Pick<PendingOrders, "name" | "service">;

/** The notifications that Tillkit receives. */
interface Received {
  /** The name of the contestant. */
  readonly title: string;
  readonly orders: NotifiedOrders;
  /** Signs the notifications: the values of the placeholders, among them `ref` and `body`. */
  readonly sign: (
    orders: Pick<PendingOrders, "name" | "first" | "last">,
  ) => Promise<readonly Record<string, string>[]>;
  readonly headers: Record<string, string>;
  /** A text of the answer. */
  readonly expects: string;
}

/** Starts Tillkit, which receives the notifications. Signs them before the rounds. */
export async function receivingTillkit(
  bench: Bench,
  shop: NotifiedShop,
  { title, orders, sign, headers, expects }: Received,
): Promise<Contestant> {
  const path = `/wallets/notify/${shop.payChannel}/${shop.payToolId}/{ref}`;
  const loaded = await tillkitOn("node", bench, {
    name: title,
    facts: shop.facts,
    load: {
      connections: CONNECTIONS,
      items: [],
      steps: [{ method: "POST", path, headers, body: "{body}" }],
      expects,
    },
  });
  return supplied(loaded, {
    perSecond: PER_SECOND,
    prepare: async (first, last) => {
      await fillPendingOrders(shop, { ...orders, first, last });
      await loaded.add(await sign({ name: orders.name, first, last }));
    },
  });
}
