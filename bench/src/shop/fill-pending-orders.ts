import { settle } from "./fill-orders.js";
import type { Shop } from "./open-shop.js";
import { SCHEMA } from "./shop-facts.js";

/** A shop with one pay tool, whose wallet sends notifications. */
export interface NotifiedShop extends Shop {
  readonly payChannel: "WALLET_A" | "WALLET_B";
  readonly payToolId: string;
}

/** Orders that wait for their payment. */
export interface PendingOrders {
  /** The prefix of the order numbers, which no other orders have. */
  readonly name: string;
  /** The numbers of the first and of the last order. */
  readonly first: number;
  readonly last: number;
  /** Whether each order buys a month of a service. */
  readonly service: boolean;
}

/** Returns the merchant's and the wallet's number of the `n`th order. */
export function numbersOf({ name }: Pick<PendingOrders, "name">, n: number) {
  return { bizNo: `${name}-${n}`, outTradeNo: `${name}${String(n).padStart(20, "0")}` };
}

/** Inserts pending orders into Tillkit's shop. Order `n` belongs to the customer `u-n`. */
export async function fillPendingOrders(
  { sql, facts, payChannel, payToolId }: NotifiedShop,
  { name, first, last, service }: PendingOrders,
): Promise<void> {
  const now = Date.now();
  const bought = service ? `'month', 'One month', ${30 * 86_400_000}` : "null, null, null";
  await sql.script(
    `insert into ${SCHEMA}.orders (app_id, biz_no, id, customer_identity, amount_cents, goods_title, pay_channel, pay_source, payment_status,
       service_type_no, service_name, service_duration_ms, pay_tool_id, notify_url, return_url, expires_ms, refunded_cents, next_query_ms, created_ms,
       modified_ms, timeline_seq, timeline_hash)
     select '${facts.appId}', '${name}-' || n, '${name}' || lpad(n::text, 20, '0'), 'u-' || n, 600, 'One month', '${payChannel}', 'APP', 'PENDING',
       ${bought}, '${payToolId}', 'https://pay.example/notify', 'https://pay.example/return', ${now + 7_200_000}, 0, ${now + 30_000}, ${now}, ${now}, 1, decode(repeat('0', 64), 'hex')
     from generate_series(${first}, ${last}) as n`,
  );
  await settle({ sql });
}
