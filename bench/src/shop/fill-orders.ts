import type { Shop } from "./open-shop.js";
import { SCHEMA } from "./shop-facts.js";

const DDL = `
  create table orders_by_hand (
    app_id text not null,
    biz_no text not null,
    id text not null unique,
    customer_identity text not null,
    amount_cents bigint not null,
    goods_title text not null,
    pay_channel text not null,
    payment_status text not null,
    paid_ms bigint,
    created_ms bigint not null,
    modified_ms bigint not null,
    source_from text,
    attach_data text,
    prepay_id text,
    primary key (app_id, biz_no)
  );
  create index on orders_by_hand (app_id, customer_identity, created_ms desc, id desc)`;

/** When the first of the orders was made, epoch milliseconds. */
const SINCE = 1_700_000_000_000;

/** What to fill in. */
export interface OrdersToFill {
  readonly orders: number;
  /** They take turns; each order has one of its own unless told. */
  readonly customers?: number;
  /** Whether the shop written by hand gets them as well, as it does unless told. */
  readonly byHand?: boolean;
}

/** Puts paid orders into both shops, ours and the one written by hand, the same in each: `b-1` of customer `u-1` and so on. */
export async function fillOrders(
  { sql, facts }: Shop,
  { orders, customers = orders, byHand = true }: OrdersToFill,
): Promise<void> {
  const customer = `'u-' || (1 + (n - 1) % ${customers})`;
  const same = `'${facts.appId}', 'b-' || n, lpad(n::text, 26, '0'), ${customer}, 600 + n % 1000, 'One month', 'WALLET_B',
    'PAID', ${SINCE} + n * 1000 + 5000, ${SINCE} + n * 1000, ${SINCE} + n * 1000 + 5000, 'store_01', '{"sku":"vip-' || n % 50 || '"}'`;
  const columns = `app_id, biz_no, id, customer_identity, amount_cents, goods_title, pay_channel, payment_status, paid_ms, created_ms,
    modified_ms, source_from, attach_data`;
  if (byHand) {
    await openByHand({ sql });
    await sql.script(
      `insert into orders_by_hand (${columns}) select ${same} from generate_series(1::bigint, ${orders}) as n`,
    );
  }
  await sql.script(
    `insert into ${SCHEMA}.orders (${columns}, pay_source, pay_tool_id, notify_url, return_url, expires_ms, refunded_cents, timeline_seq, timeline_hash)
     select ${same}, 'APP', 'tool', 'https://pay.example/notify', 'https://pay.example/return', ${SINCE} + n * 1000 + 7200000, 0, 1, repeat('0', 64)
     from generate_series(1::bigint, ${orders}) as n`,
  );
  await settle({ sql });
}

/** Makes the empty table of the shop written by hand. */
export async function openByHand({ sql }: Pick<Shop, "sql">): Promise<void> {
  await sql.script(DDL);
}

const WARM = `
  create extension if not exists pg_prewarm;
  select count(pg_prewarm(oid)) from pg_class
  where relkind in ('r', 'i') and relnamespace not in ('pg_catalog'::regnamespace, 'information_schema'::regnamespace)`;

/**
 * Lets the database finish with what was filled in, so that no row pays for it, and read it into its memory, where it is on a server that has
 * run for days.
 */
export async function settle({ sql }: Pick<Shop, "sql">): Promise<void> {
  // Two statements sent together would be one transaction, which vacuum refuses.
  await sql.script("vacuum analyze");
  await sql.script("checkpoint");
  await sql.script(WARM);
}
