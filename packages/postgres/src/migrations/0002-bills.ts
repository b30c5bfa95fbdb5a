import { toMigration } from "../migration.js";

/** Migration 0002-bills. Its SQL never changes, because databases store its checksum. */
export const bills = toMigration(
  "0002-bills",
  `-- Bills of the wallets and how they differ from the record. The lines of a bill wait in bill_lines while they are compared; bill_exceptions keeps the
-- differences. The two indexes find what was paid and refunded on a day.

create index orders_paid on orders (pay_tool_id, paid_ms, id) where paid_ms is not null;
comment on index orders_paid is 'What each merchant account took on a day, to be compared with its bill.';

create index refunds_confirmed on refunds (modified_ms, biz_no, app_id, refund_no) where status = 'CONFIRMED';
comment on index refunds_confirmed is 'What was refunded on a day, to be compared with the bills.';

create table bill_lines (
  run_id text collate "C" not null,
  kind text collate "C" not null,
  out_trade_no text collate "C" not null,
  refund_no text collate "C" not null,
  amount_cents bigint not null,
  state text collate "C" not null,
  wallet_trade_no text not null,
  staged_ms bigint not null,
  primary key (run_id, kind, out_trade_no, refund_no)
);
create index bill_lines_by_time on bill_lines (staged_ms);
comment on table bill_lines is 'Lines of bills that are being read and compared. They are removed when that is done.';
comment on column bill_lines.run_id is 'The reading they belong to; no two share lines.';
comment on column bill_lines.kind is 'The movement: payment or refund.';
comment on column bill_lines.out_trade_no is 'The order''s id, as the wallet knows it.';
comment on column bill_lines.refund_no is 'The refund''s number; empty for a payment, and for a refund without one.';
comment on column bill_lines.amount_cents is 'What the bill states, cents; the sum where it has several lines of one number.';
comment on column bill_lines.state is 'DONE, or OPEN for a refund the wallet had not finished.';
comment on column bill_lines.wallet_trade_no is 'The wallet''s own number of the payment.';
comment on column bill_lines.staged_ms is 'When it was put here, epoch milliseconds.';
comment on index bill_lines_pkey is 'The lines of a reading in their order, and the line of a number.';
comment on index bill_lines_by_time is 'What a process that died has left, oldest first, for housekeeping.';

create table bill_exceptions (
  id text collate "C" primary key,
  pay_channel text collate "C" not null,
  app_env text collate "C" not null,
  account_id text collate "C" not null,
  day text collate "C" not null,
  kind text not null,
  out_trade_no text not null,
  refund_no text,
  wallet_trade_no text,
  amount_there_cents bigint,
  amount_here_cents bigint,
  status_here text,
  app_id text,
  biz_no text,
  state text collate "C" not null,
  operator text,
  note text,
  as_of_ms bigint not null,
  created_ms bigint not null,
  modified_ms bigint not null
);
create index bill_exceptions_by_state on bill_exceptions (state, created_ms, id);
create index bill_exceptions_of_bill on bill_exceptions (day, account_id, as_of_ms, id) where state = 'OPEN';
comment on table bill_exceptions is 'Differences between the wallets'' bills and the record, for an operator to work off. None is ever removed.';
comment on column bill_exceptions.id is 'Digest of merchant, kind and numbers: the same whoever finds it.';
comment on column bill_exceptions.pay_channel is 'The wallet: WALLET_A or WALLET_B.';
comment on column bill_exceptions.app_env is 'DEV for the wallet''s sandbox gateway, otherwise PROD.';
comment on column bill_exceptions.account_id is 'The merchant''s account at the wallet.';
comment on column bill_exceptions.day is 'Day of the bill in China, YYYY-MM-DD.';
comment on column bill_exceptions.kind is 'PAYMENT or REFUND, then NOT_HERE, NOT_THERE or AMOUNT: who lacks it, or that the amounts differ.';
comment on column bill_exceptions.out_trade_no is 'The order''s id, as the wallet knows it.';
comment on column bill_exceptions.refund_no is 'The refund''s number; null for a payment, and for a refund without one.';
comment on column bill_exceptions.wallet_trade_no is 'The wallet''s own number of the payment, if it is known.';
comment on column bill_exceptions.amount_there_cents is 'What the bill states, cents; null where it has no such line.';
comment on column bill_exceptions.amount_here_cents is 'What the record states, cents; null where it has nothing of the kind.';
comment on column bill_exceptions.status_here is 'Status of the order, or of the refund, when it was last found.';
comment on column bill_exceptions.app_id is 'App of the order, if there is one of this number.';
comment on column bill_exceptions.biz_no is 'The merchant''s number of that order.';
comment on column bill_exceptions.state is 'OPEN, or how it was closed: HEALED, GONE, LISTED or RESOLVED.';
comment on column bill_exceptions.operator is 'Who resolved it last.';
comment on column bill_exceptions.note is 'What they found out.';
comment on column bill_exceptions.as_of_ms is 'When the run began that last looked, epoch milliseconds; an earlier one changes nothing.';
comment on column bill_exceptions.created_ms is 'When it was first found, epoch milliseconds.';
comment on column bill_exceptions.modified_ms is 'When it was last found or changed, epoch milliseconds.';
comment on index bill_exceptions_pkey is 'Each difference once.';
comment on index bill_exceptions_by_state is 'What an operator works off, first found first.';
comment on index bill_exceptions_of_bill is 'What earlier runs over a bill found and the last did not.';
`,
);
