import { toMigration } from "../migration.js";

/** Migration 0011-order-search. Its SQL never changes, because databases store its checksum. */
export const orderSearch = toMigration(
  "0011-order-search",
  `-- Operators list and look up orders.

create index orders_created on orders (created_ms);
create index orders_pending on orders (created_ms) where payment_status = 'PENDING' and pay_tool_id <> '';
create index orders_wallet_trade_no on orders using hash (wallet_trade_no) where wallet_trade_no is not null;
create index timeline_alarms on timeline (at_ms, biz_no, app_id, seq) where alarm;
comment on index orders_created is 'The orders of a time range, newest first.';
comment on index orders_pending is 'The orders that wait for a payment, oldest first.';
comment on index orders_wallet_trade_no is 'Finds an order by the number that the wallet gave the payment.';
comment on index timeline_alarms is 'The alarms, which operators acknowledge.';
`,
);
