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

/** The creation time of the first order, in epoch milliseconds. */
const SINCE = 1_700_000_000_000;

/** The orders to fill in. */
export interface OrdersToFill {
  readonly orders: number;
  /** The number of customers, who take turns. Defaults to one customer per order. */
  readonly customers?: number;
  /** Whether the hand-written shop receives the orders as well. Defaults to true. */
  readonly byHand?: boolean;
}

/** Inserts the same paid orders into both shops: `b-1` of customer `u-1` and so on. */
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
     select ${same}, 'APP', 'tool', 'https://pay.example/notify', 'https://pay.example/return', ${SINCE} + n * 1000 + 7200000, 0, 1, decode(repeat('0', 64), 'hex')
     from generate_series(1::bigint, ${orders}) as n`,
  );
  await settle({ sql });
}

/** Creates the empty table of the hand-written shop. */
export async function openByHand({ sql }: Pick<Shop, "sql">): Promise<void> {
  await sql.script(DDL);
}

const WARM = `
  create extension if not exists pg_prewarm;
  select count(pg_prewarm(oid)) from pg_class
  where relkind in ('r', 'i') and relnamespace not in ('pg_catalog'::regnamespace, 'information_schema'::regnamespace)`;

/**
 * Lets the database finish its work on the filled-in data, and loads the data into its memory.
 *
 * No row then pays for the filling, and the database is like a server that has run for days.
 */
export async function settle({ sql }: Pick<Shop, "sql">): Promise<void> {
  // Two statements in one message would be one transaction, in which vacuum fails.
  await sql.script("vacuum analyze");
  await sql.script("checkpoint");
  await sql.script(WARM);
}
