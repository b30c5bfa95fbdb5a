import { toMigration } from "../migration.js";

/** Migration 0012-refund-approvals. Its SQL never changes, because databases store its checksum. */
export const refundApprovals = toMigration(
  "0012-refund-approvals",
  `-- Large refunds wait for a second operator, and operators list refunds of all orders.

create table refund_approvals (
  biz_no text collate "C" not null,
  app_id text collate "C" not null,
  refund_no text collate "C" not null,
  id text collate "C" not null,
  amount_cents bigint not null,
  reason text not null,
  requested_by text not null,
  requested_ms bigint not null,
  state text not null,
  decided_by text,
  decided_ms bigint,
  note text,
  due_ms bigint,
  failure text,
  primary key (biz_no, app_id, refund_no)
);
create index refund_approvals_id on refund_approvals (id);
create index refund_approvals_state on refund_approvals (state, requested_ms, id);
create index refund_approvals_due on refund_approvals (due_ms) where due_ms is not null;
comment on table refund_approvals is 'The refunds that need a second operator. A waiting one reserves nothing.';
comment on column refund_approvals.biz_no is 'The number of the order.';
comment on column refund_approvals.app_id is 'The app of the order.';
comment on column refund_approvals.refund_no is 'The number of the refund. It is used for no other refund of the order.';
comment on column refund_approvals.id is 'The id of the approval.';
comment on column refund_approvals.amount_cents is 'The amount of the refund, in cents.';
comment on column refund_approvals.reason is 'The reason of the refund.';
comment on column refund_approvals.requested_by is 'The operator who requested the refund.';
comment on column refund_approvals.requested_ms is 'When the refund was requested, epoch milliseconds.';
comment on column refund_approvals.state is 'WAITING, APPROVED or REJECTED. The last two are final.';
comment on column refund_approvals.decided_by is 'The operator who decided. Never the one who requested the refund. Null while it waits.';
comment on column refund_approvals.decided_ms is 'When the operator decided, epoch milliseconds. Null while it waits.';
comment on column refund_approvals.note is 'The reason of the decision. Null while it waits.';
comment on column refund_approvals.due_ms is 'When the reconciler makes an approved refund, epoch milliseconds. Null once it is stored in refunds or has definitely failed.';
comment on column refund_approvals.failure is 'The failure because of which an approved refund was not made.';
comment on index refund_approvals_pkey is 'The approvals of an order.';
comment on index refund_approvals_id is 'Finds an approval by its id.';
comment on index refund_approvals_state is 'The approvals in each state, by the time of the request.';
comment on index refund_approvals_due is 'Approved refunds that are not stored yet, the longest due first.';

create index refunds_created on refunds (created_ms, biz_no, app_id, refund_no);
create index refunds_of_status on refunds (status, created_ms, biz_no, app_id, refund_no);
create index refunds_of_app on refunds (app_id, created_ms, biz_no, refund_no);
comment on index refunds_created is 'All refunds, by the time of the request.';
comment on index refunds_of_status is 'The refunds in each status, by the time of the request.';
comment on index refunds_of_app is 'The refunds of each app, by the time of the request.';
`,
);
