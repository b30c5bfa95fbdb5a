import { toMigration } from "../migration.js";

/** Migration 0014-bill-days. Its SQL never changes, because databases store its checksum. */
export const billDays = toMigration(
  "0014-bill-days",
  `-- Which bills were compared, and what is open or resolved of each day. Hosts of older versions do not record what they compare.

create table bill_days (
  day text collate "C" not null,
  pay_channel text collate "C" not null,
  app_env text collate "C" not null,
  account_id text collate "C" not null,
  matched bigint not null,
  fees_cents bigint,
  as_of_ms bigint not null,
  primary key (day, pay_channel, app_env, account_id)
);
comment on table bill_days is 'The trade bills that were compared completely. None is ever removed.';
comment on column bill_days.day is 'Day of the bill in China, YYYY-MM-DD.';
comment on column bill_days.pay_channel is 'The wallet: WALLET_A or WALLET_B.';
comment on column bill_days.app_env is 'DEV for the wallet''s sandbox gateway, otherwise PROD.';
comment on column bill_days.account_id is 'The merchant''s account at the wallet.';
comment on column bill_days.matched is 'How many lines of the trade bill equal a stored payment or refund.';
comment on column bill_days.fees_cents is 'Fees of the day, cents; null if no bill states them.';
comment on column bill_days.as_of_ms is 'When the run began, epoch milliseconds; an earlier run changes nothing.';
comment on index bill_days_pkey is 'Each bill once, and the bills of a range of days.';

create index bill_exceptions_by_day on bill_exceptions (day, pay_channel, app_env, account_id, state) where state in ('OPEN', 'RESOLVED');
comment on index bill_exceptions_by_day is 'What is open and what was resolved of each bill, counted for a range of days.';
`,
);
