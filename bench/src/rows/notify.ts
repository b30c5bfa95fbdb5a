import type { Bench } from "../harness/bench.js";
import { databaseAlone } from "../harness/database-alone.js";
import type { Contestant, BenchRow } from "../harness/row.js";
import { CONNECTIONS } from "../load/load.js";
import { openByHand, settle } from "../shop/fill-orders.js";
import { fillPendingOrders, type PendingOrders } from "../shop/fill-pending-orders.js";
import { openWalletBShop, type WalletBShop } from "../shop/open-wallet-b-shop.js";
import { POOL_MAX } from "../shop/shop-facts.js";
import { signNotifications } from "../shop/sign-notifications.js";
import { tillkitOn } from "../shop/tillkit-on.js";

/**
 * More notifications per second than any contestant reaches.
 *
 * Each is signed before the measurement and used once.
 */
const MOST_PER_SECOND = 4_000;

const TITLE = "Tillkit on node:http";

/**
 * Measures a payment notification of WALLET_B: verified, and PAID is committed before the answer.
 */
export async function notifyRow(bench: Bench): Promise<BenchRow> {
  const shop = await openWalletBShop(bench);
  const count = notificationCount(bench);
  return {
    work: "a notification of WALLET_B, verified, its order committed as PAID",
    contestants: [
      await notifiedTillkit(bench, shop, { title: TITLE, name: "P", count, service: false }),
      await notifiedTillkit(bench, shop, {
        title: `${TITLE}, a service extended too`,
        ...{ name: "S", count, service: true },
      }),
      await byHand(shop, 4 * count),
    ],
    targets: [],
    warmUp: "short",
    close: () => shop.sql.close(),
  };
}

/** Returns how many notifications a contestant needs for all its rounds. */
export function notificationCount({ playMs }: Bench): number {
  return Math.ceil((playMs / 1_000) * MOST_PER_SECOND);
}

/** Starts Tillkit with pending orders and their notifications. `title` names the contestant. */
export async function notifiedTillkit(
  bench: Bench,
  shop: WalletBShop,
  { title, ...orders }: PendingOrders & { readonly title: string },
): Promise<Contestant> {
  await fillPendingOrders(shop, orders);
  const signed = await signNotifications(shop, orders);
  return tillkitOn("node", bench, {
    name: title,
    facts: shop.facts,
    load: {
      connections: CONNECTIONS,
      items: signed.map(({ ref, body }) => ({ ref, body })),
      steps: [
        {
          method: "POST",
          path: `/wallets/notify/WALLET_B/${shop.payToolId}/{ref}`,
          headers: { "content-type": "application/x-www-form-urlencoded; charset=utf-8" },
          body: "{body}",
        },
      ],
      expects: "success",
    },
  });
}

/** Runs the hand-written work: one signature check and one statement that writes two tables. */
async function byHand(shop: WalletBShop, count: number): Promise<Contestant> {
  const { sql, facts, keys } = shop;
  const [notification] = await signNotifications(shop, { name: "H", count: 1 });
  const { text = "", signature = "" } = notification ?? {};
  await openByHand(shop);
  await sql.script(
    `create table payments_by_hand (app_id text, biz_no text, paid_ms bigint not null, evidence text not null, primary key (app_id, biz_no));
     insert into orders_by_hand
       (app_id, biz_no, id, customer_identity, amount_cents, goods_title, pay_channel, payment_status, created_ms, modified_ms)
     select '${facts.appId}', 'H-' || n, 'H' || n, 'u-' || n, 600, 'One month', 'WALLET_B', 'PENDING', 0, 0
     from generate_series(1, ${count}) as n`,
  );
  await settle(shop);
  return databaseAlone("one RSA-2048 check and one transaction", {
    databaseUrl: facts.databaseUrl,
    connections: POOL_MAX,
    check: { publicKey: keys.alipayPublicKey, text, signature },
    steps: [
      {
        text: `
          with paid as (
            update orders_by_hand set payment_status = 'PAID', paid_ms = $3::bigint, modified_ms = $3::bigint
            where app_id = $1 and biz_no = $2 and payment_status = 'PENDING' returning app_id, biz_no)
          insert into payments_by_hand (app_id, biz_no, paid_ms, evidence) select app_id, biz_no, $3::bigint, $4::text from paid`,
        values: [facts.appId, "H-{n}", `${Date.now()}`, signature],
      },
    ],
  });
}
