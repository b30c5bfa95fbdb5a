import { toMigration } from "../migration.js";

/** Migration 0015-smaller-rows. Its SQL never changes, because databases store its checksum. */
export const smallerRows = toMigration(
  "0015-smaller-rows",
  `-- breaking
-- Orders and their timelines take half the space. Hashes are bytes instead of hexadecimal text, nothing is stored that follows from other columns, and
-- indexes contain no long number that a short one replaces. Older versions read and write the longer forms.

drop index orders_of_customer;
drop index orders_of_customer_by_status;
drop index orders_paid;
drop index orders_wallet_trade_no;
alter table orders add column notifications_url text;
alter table orders alter column notify_url drop not null;
alter table orders alter column return_url drop not null;
alter table orders alter column timeline_hash type bytea using decode(timeline_hash, 'hex');
alter table orders alter column open_refund_nos drop not null;
alter table orders alter column open_refund_nos drop default;
alter table orders set (fillfactor = 95);
create index orders_of_customer on orders (app_id, customer_identity, created_ms desc, id desc) include (payment_status);
create index orders_paid on orders (right(pay_tool_id, 4), paid_ms) where paid_ms is not null;
create index orders_wallet_trade_no on orders (hashtextextended(wallet_trade_no, 0)) where wallet_trade_no is not null;
comment on column orders.notifications_url is 'The host''s address for wallets when the order was made. notify_url and return_url follow from it; null if they are stored.';
comment on column orders.notify_url is 'Where the wallet reports; frozen with the order. Null if it is {notifications_url}/notify/{pay_channel}/{pay_tool_id}/{biz_no in base64url}.';
comment on column orders.return_url is 'Where WALLET_B sends the customer''s browser after the payment; frozen at the wallet with the order. Null if it is {notifications_url}/return/{pay_channel}.';
comment on column orders.prepayment_issued_ms is 'When the wallet gave what opens the payment, epoch milliseconds; null until then, and once the order is paid.';
comment on column orders.prepayment_valid_until_ms is 'Until when a payment can be opened with it, epoch milliseconds; null with prepayment_issued_ms.';
comment on column orders.prepayment_values is 'What the wallet gave, JSON text that its adapter understands; null with prepayment_issued_ms.';
comment on column orders.open_refund_nos is 'The refunds that are REQUESTED or SENT; null or empty when there are none.';
comment on index orders_of_customer is 'A customer''s orders, newest first. Counting, also in one status, reads the index alone.';
comment on index orders_paid is 'What each merchant account took on a day, to be compared with its bill. The end of an account''s id is short, and almost unique.';
comment on index orders_wallet_trade_no is 'Finds an order by the number that the wallet gave the payment. A hash of the number is shorter.';

-- The last page of an index is split at the fill factor. The second event of each order, which comes later, fills the rest.
alter index timeline_pkey set (fillfactor = 45);
alter table timeline drop column previous_hash;
alter table timeline alter column hash type bytea using decode(hash, 'hex');
alter table timeline add column evidence_sha256 bytea;
update timeline set evidence = null, evidence_sha256 = decode(evidence, 'hex') where evidence ~ '^[0-9a-f]{64}$';
comment on column timeline.evidence is 'The cause of the event, such as a refund''s number; one type with the same evidence is recorded once. Null if evidence_sha256 is set.';
comment on column timeline.evidence_sha256 is 'The cause, if it is the digest of the wallet''s message.';
comment on column timeline.hash is 'SHA-256 of the previous event''s hash in hexadecimal, a line feed and the canonical text of the event. The first event uses the order''s id.';
`,
);
