import { toMigration } from "../migration.js";

/** Migration 0005-fund-flow. Its SQL never changes, because databases store its checksum. */
export const fundFlow = toMigration(
  "0005-fund-flow",
  `-- Fund-flow bills: the movements of a merchant's account meet the lines of its trade bill in bill_settlements, by settlement number. An exception of a line that
-- cannot be read says what is wrong with it.

create table bill_settlements (
  run_id text collate "C" not null,
  settlement_no text collate "C" not null,
  stated_lines bigint not null,
  open_lines bigint not null,
  stated_received_cents bigint not null,
  stated_fee_cents bigint not null,
  moved_lines bigint not null,
  moved_received_cents bigint not null,
  moved_fee_cents bigint not null,
  out_trade_no text collate "C",
  refund_no text collate "C",
  staged_ms bigint not null,
  primary key (run_id, settlement_no)
);
create index bill_settlements_by_time on bill_settlements (staged_ms);
comment on table bill_settlements is 'What a trade bill and a fund-flow bill have under one number, while they are compared. The rows are removed when that is done.';
comment on column bill_settlements.run_id is 'The run they belong to; no two runs share rows.';
comment on column bill_settlements.settlement_no is 'The number under which the wallet books the movement: its own number of the payment or refund, or the order''s.';
comment on column bill_settlements.stated_lines is 'How many lines of the trade bill have the number.';
comment on column bill_settlements.open_lines is 'How many of those lines are refunds that the wallet had not finished.';
comment on column bill_settlements.stated_received_cents is 'What the account receives by the trade bill before fees, cents; negative for refunds.';
comment on column bill_settlements.stated_fee_cents is 'Fees by the trade bill, cents; negative if returned.';
comment on column bill_settlements.moved_lines is 'How many movements of the fund-flow bill have the number.';
comment on column bill_settlements.moved_received_cents is 'What the account received before fees, cents; negative for refunds.';
comment on column bill_settlements.moved_fee_cents is 'Fees that the account paid, cents; negative if returned.';
comment on column bill_settlements.out_trade_no is 'The order''s id, as the wallet knows it; null if a movement does not name it.';
comment on column bill_settlements.refund_no is 'The refund''s number; null for a payment, and where no bill names it.';
comment on column bill_settlements.staged_ms is 'When the row was first put here, epoch milliseconds.';
comment on index bill_settlements_pkey is 'The settlements of a run in their order.';
comment on index bill_settlements_by_time is 'What a process that died has left, oldest first, for housekeeping.';

alter table bill_exceptions add column detail text;
comment on column bill_exceptions.detail is 'What is wrong with a line that cannot be read, in words; nothing of its text.';
comment on column bill_exceptions.kind is 'PAYMENT or REFUND, then NOT_HERE, NOT_THERE or AMOUNT: who lacks it, or that the amounts differ. Of the fund-flow bill: MOVEMENT_MISSING, MOVEMENT_UNKNOWN, MOVEMENT_AMOUNT, FEE_AMOUNT, FEE_TOTAL, BALANCE. Of lines that cannot be read: UNREADABLE_LINE, UNREADABLE_MOVEMENT.';
comment on column bill_exceptions.id is 'Digest of merchant, kind and numbers, and of the day if there is no number. Every run computes the same digest.';
comment on column bill_exceptions.out_trade_no is 'The order''s id, as the wallet knows it; empty if the difference is about a whole day, or if it cannot be read.';
comment on column bill_exceptions.amount_there_cents is 'What the bill states, cents, the fund-flow bill if the kind is its; null where it has no such line.';
comment on column bill_exceptions.amount_here_cents is 'What the record states, cents, or the trade bill if the kind is the fund-flow bill''s; null where it has nothing of the kind.';
`,
);
