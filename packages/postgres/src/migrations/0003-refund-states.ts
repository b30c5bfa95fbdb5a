import { toMigration } from "../migration.js";

/** Migration 0003-refund-states. Its SQL never changes, because databases store its checksum. */
export const refundStates = toMigration(
  "0003-refund-states",
  `-- breaking
-- Refunds get the statuses WAITING_FOR_FUNDS, ABNORMAL and SETTLED. A refund in one of the first two reserves its amount and does not keep other refunds
-- away, so the order's row has the sum of what is reserved, and may have more than one refund under way. Older versions know neither.

alter table orders add column reserved_cents bigint not null default 0;
alter table orders add column open_refund_nos text[] collate "C" not null default '{}';
comment on column orders.reserved_cents is 'Sum of the refunds that have not ended, cents.';
comment on column orders.open_refund_nos is 'The refunds that are REQUESTED or SENT; empty when there are none.';

update orders o set reserved_cents = r.amount_cents, open_refund_nos = array[r.refund_no]
  from refunds r
  where r.next_try_ms is not null and r.biz_no = o.biz_no and r.app_id = o.app_id and r.refund_no = o.open_refund_no;

alter table orders drop column open_refund_no;

comment on column orders.refunded_cents is 'Sum of the refunds that are CONFIRMED or SETTLED, cents.';
comment on column refunds.status is 'REQUESTED, SENT, WAITING_FOR_FUNDS, ABNORMAL, CONFIRMED, FAILED or SETTLED; the last three are final.';
comment on column refunds.modified_ms is 'When it entered its status, epoch milliseconds.';
`,
);
