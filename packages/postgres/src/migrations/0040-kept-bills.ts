import { toMigration } from "../migration.js";

/** Migration 0040-kept-bills. Its SQL never changes, because databases store its checksum. */
export const keptBills = toMigration(
  "0040-kept-bills",
  `-- The lines of the trade bills with their fees, for the reports of the accounts. A run adds its lines and then replaces those of its bill, so a reader of
-- runs reads one state. The policy says how long they stay.

create table bill_runs (
  run_id text collate "C" primary key,
  day text collate "C" not null,
  pay_channel text collate "C" not null,
  app_env text collate "C" not null,
  account_id text collate "C" not null,
  as_of_ms bigint not null,
  state text collate "C" not null,
  changed_ms bigint not null,
  lines integer,
  unreadable integer,
  fees_cents bigint,
  opening_cents bigint,
  closing_cents bigint
);
create index bill_runs_by_bill on bill_runs (day, pay_channel, app_env, account_id);
create index bill_runs_to_remove on bill_runs (changed_ms) where state <> 'KEPT';
comment on table bill_runs is 'The runs that read trade bills whose lines are kept for the accounts.';
comment on column bill_runs.run_id is 'The run; no two share lines.';
comment on column bill_runs.day is 'Day of the bill in China, YYYY-MM-DD.';
comment on column bill_runs.pay_channel is 'The wallet: WALLET_A or WALLET_B.';
comment on column bill_runs.app_env is 'DEV for the wallet''s sandbox gateway, otherwise PROD.';
comment on column bill_runs.account_id is 'The merchant''s account at the wallet.';
comment on column bill_runs.as_of_ms is 'When the run began, epoch milliseconds; an earlier run replaces nothing.';
comment on column bill_runs.state is 'READING, KEPT for the lines of the bill, REPLACED by a later run, or REMOVED while housekeeping removes the lines.';
comment on column bill_runs.changed_ms is 'When the state changed, epoch milliseconds.';
comment on column bill_runs.lines is 'How many lines are kept; null before the run has ended.';
comment on column bill_runs.unreadable is 'How many lines could not be read; null before the run has ended.';
comment on column bill_runs.fees_cents is 'The trade bill''s own total of fees, cents; null if it states none.';
comment on column bill_runs.opening_cents is 'Balance before the day, cents; null if no fund-flow bill states it.';
comment on column bill_runs.closing_cents is 'Balance after the day, cents; null if no fund-flow bill states it.';
comment on index bill_runs_pkey is 'Each run once.';
comment on index bill_runs_by_bill is 'The runs of a bill, and the kept bills of a range of days.';
comment on index bill_runs_to_remove is 'What housekeeping removes, oldest first.';

create table kept_bill_lines (
  run_id text collate "C" not null,
  position integer not null,
  app_id text collate "C",
  biz_no text collate "C",
  kind text collate "C" not null,
  out_trade_no text collate "C" not null,
  refund_no text collate "C",
  amount_cents bigint not null,
  state text collate "C" not null,
  wallet_trade_no text collate "C" not null,
  settlement_no text collate "C",
  received_cents bigint,
  fee_cents bigint,
  primary key (run_id, position)
);
comment on table kept_bill_lines is 'The lines of trade bills, with what the wallet keeps of each.';
comment on column kept_bill_lines.run_id is 'The run that read the line.';
comment on column kept_bill_lines.position is 'Place among the readable lines of the bill, from 1.';
comment on column kept_bill_lines.app_id is 'The app of the order with this number; null if no order has it.';
comment on column kept_bill_lines.biz_no is 'The order''s number in its app; null if no order has the number.';
comment on column kept_bill_lines.kind is 'The movement: payment or refund.';
comment on column kept_bill_lines.out_trade_no is 'The order''s id, as the wallet knows it, or the number of another system.';
comment on column kept_bill_lines.refund_no is 'The refund''s number; null for a payment, and for a refund without one.';
comment on column kept_bill_lines.amount_cents is 'What the customer paid or got back, cents, positive.';
comment on column kept_bill_lines.state is 'DONE, or OPEN for a refund the wallet had not finished.';
comment on column kept_bill_lines.wallet_trade_no is 'The wallet''s own number of the payment.';
comment on column kept_bill_lines.settlement_no is 'The number of the line in the fund-flow bill; null if it has none.';
comment on column kept_bill_lines.received_cents is 'What the account receives before fees, cents, negative for a refund; null if the bill omits it.';
comment on column kept_bill_lines.fee_cents is 'What the wallet keeps, cents, negative if it returns a fee; null if the bill omits it.';
comment on index kept_bill_lines_pkey is 'The lines of a run in their order.';
`,
);
