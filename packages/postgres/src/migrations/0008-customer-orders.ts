import { toMigration } from "../migration.js";

/** Migration 0008-customer-orders. Its SQL never changes, because databases store its checksum. */
export const customerOrders = toMigration(
  "0008-customer-orders",
  `-- On a cluster, orders are stored by their number, and this table finds the orders of a customer on one node. One server finds them by an index of orders,
-- and leaves the table empty.

create table customer_orders (
  customer_identity text collate "C" not null,
  app_id text collate "C" not null,
  created_ms bigint not null,
  id text collate "C" not null,
  biz_no text collate "C" not null,
  primary key (customer_identity, app_id, created_ms, id)
);
comment on table customer_orders is 'The orders of each customer, on a cluster only. Empty on one server.';
comment on column customer_orders.customer_identity is 'The customer of the order.';
comment on column customer_orders.app_id is 'The app of the order.';
comment on column customer_orders.created_ms is 'When the order was created, epoch milliseconds.';
comment on column customer_orders.id is 'The id of the order.';
comment on column customer_orders.biz_no is 'The number of the order, under which it is stored.';
comment on index customer_orders_pkey is 'The orders of a customer, sorted by time.';
`,
);
