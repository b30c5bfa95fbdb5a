import { toMigration } from "../migration.js";

/** Migration 0001-first-schema. Its SQL never changes, because databases store its checksum. */
export const firstSchema = toMigration(
  "0001-first-schema",
  `-- Times are epoch milliseconds (\`_ms\`), money is cents (\`_cents\`). Keys and whatever lists sort by compare byte by byte (collation "C"): the
-- same order on every machine, and case matters. The first column of a primary key is the column that distributes the table; \`apps\`,
-- \`pay_tools\`, \`service_types\` and other small tables are reference tables, copied to every node. The comments of tables, columns and indexes
-- are in the database too, and docs/reference/database.md is made of them.

create table apps (
  app_id text collate "C" primary key,
  name text not null,
  account_based boolean not null,
  check_email boolean not null,
  check_phone boolean not null,
  check_card boolean not null,
  disabled boolean not null,
  secrets jsonb not null,
  created_ms bigint not null,
  modified_ms bigint not null,
  check_identity_card boolean not null default true,
  check_wallet_account boolean not null default true,
  check_biz_no boolean not null default true
);
comment on table apps is 'Apps that may call the service.';
comment on column apps.app_id is 'Assigned by the service.';
comment on column apps.name is 'What operators call it.';
comment on column apps.account_based is 'Whether its customers have accounts: then every order names one.';
comment on column apps.check_email is 'Whether an order whose customer_identity looks like an e-mail address is refused.';
comment on column apps.check_phone is 'Whether an order whose customer_identity looks like a phone number is refused.';
comment on column apps.check_card is 'Whether an order whose customer_identity looks like a card number is refused.';
comment on column apps.disabled is 'Whether its requests are refused.';
comment on column apps.secrets is 'SHA-256 of its secrets, newest first: [{ "hash", "gmtCreate", "expiresAt"? }], times in epoch milliseconds.';
comment on column apps.created_ms is 'When it was made, epoch milliseconds.';
comment on column apps.modified_ms is 'When it was last changed, epoch milliseconds.';
comment on column apps.check_identity_card is 'Whether an order whose customer_identity looks like the number of an identity card is refused.';
comment on column apps.check_wallet_account is 'Whether an order whose customer_identity looks like an account at a wallet is refused.';
comment on column apps.check_biz_no is 'Whether an order whose customer_identity equals its biz_no is refused.';
comment on index apps_pkey is 'Who is calling.';

create table pay_tools (
  id text collate "C" primary key,
  app_id text collate "C" not null,
  pay_channel text collate "C" not null,
  account_id text not null,
  wallet_app_id text not null,
  app_env text not null,
  sign_status text not null,
  app_name text not null,
  app_package_name text not null,
  app_signature text not null,
  credentials text not null,
  is_current boolean not null,
  created_ms bigint not null,
  modified_ms bigint not null,
  wallet_options text
);
create unique index pay_tools_current on pay_tools (app_id, pay_channel) where is_current;
comment on table pay_tools is 'Merchant accounts at the wallets. A replaced one is kept, for the orders that were made with it.';
comment on column pay_tools.id is 'Assigned by the service; part of the address a wallet reports to.';
comment on column pay_tools.app_id is 'The app that takes payments with it.';
comment on column pay_tools.pay_channel is 'The wallet: WALLET_A or WALLET_B.';
comment on column pay_tools.account_id is 'The merchant''s account at the wallet.';
comment on column pay_tools.wallet_app_id is 'The wallet''s own id of the application.';
comment on column pay_tools.app_env is 'DEV talks to the wallet''s sandbox gateway only, PROD never does.';
comment on column pay_tools.sign_status is 'OK when the credentials were checked and work, otherwise NO.';
comment on column pay_tools.app_name is 'Name of the application, as registered with the wallet.';
comment on column pay_tools.app_package_name is 'Package name of the application, as registered with the wallet.';
comment on column pay_tools.app_signature is 'Signature of the application, as registered with the wallet.';
comment on column pay_tools.credentials is 'Sealed for this merchant with AES-256-GCM: "v{key version}:{base64url of nonce, tag, ciphertext}".';
comment on column pay_tools.is_current is 'Whether new orders are made with it.';
comment on column pay_tools.created_ms is 'When it was configured, epoch milliseconds.';
comment on column pay_tools.modified_ms is 'When it was last changed, epoch milliseconds.';
comment on column pay_tools.wallet_options is 'JSON text: the options of new orders that give none themselves; null if there are none.';
comment on index pay_tools_pkey is 'The account of an order or of a wallet''s report.';
comment on index pay_tools_current is 'The account new orders use: at most one an app and wallet.';

create table access_tokens (
  pay_tool_id text collate "C" primary key,
  token_id text collate "C",
  token text,
  expires_ms bigint,
  claim_id text collate "C",
  claimed_until_ms bigint
);
comment on table access_tokens is 'The access tokens of pay tools that report deliveries to their wallet.';
comment on column access_tokens.pay_tool_id is 'The pay tool whose mini-program the token belongs to.';
comment on column access_tokens.token_id is 'The claim whose process requested the token; null without a token.';
comment on column access_tokens.token is 'Sealed for this pay tool with AES-256-GCM: "v{key version}:{base64url of nonce, tag, ciphertext}".';
comment on column access_tokens.expires_ms is 'When another token must be requested, epoch milliseconds; null without a token.';
comment on column access_tokens.claim_id is 'The claim of the process that requests a token; null if none does.';
comment on column access_tokens.claimed_until_ms is 'When another process may claim the request, epoch milliseconds; null without a claim.';
comment on index access_tokens_pkey is 'Each pay tool once.';

create table service_types (
  app_id text collate "C" not null,
  service_type_no text collate "C" not null,
  service_name text not null,
  duration_ms bigint not null,
  created_ms bigint not null,
  retired_ms bigint,
  primary key (app_id, service_type_no)
);
comment on table service_types is 'Timed services that orders can buy.';
comment on column service_types.app_id is 'The app that sells it.';
comment on column service_types.service_type_no is 'Its number, unique in the app.';
comment on column service_types.service_name is 'What customers read.';
comment on column service_types.duration_ms is 'How long one order lasts, milliseconds.';
comment on column service_types.created_ms is 'When it was made, epoch milliseconds.';
comment on column service_types.retired_ms is 'Since when no new order may name it, epoch milliseconds; null while it is sold.';
comment on index service_types_pkey is 'What an order buys, and the list of an app.';

create table orders (
  biz_no text collate "C" not null,
  app_id text collate "C" not null,
  id text collate "C" not null,
  customer_identity text collate "C" not null,
  customer_name text,
  amount_cents bigint not null,
  goods_title text not null,
  pay_channel text not null,
  pay_source text not null,
  payment_status text collate "C" not null,
  service_no text,
  service_type_no text collate "C",
  service_name text,
  service_duration_ms bigint,
  attach_data text,
  source_from text,
  pay_tool_id text collate "C" not null,
  notify_url text,
  expires_ms bigint not null,
  prepayment_issued_ms bigint,
  prepayment_valid_until_ms bigint,
  prepayment_values text,
  claim_id text,
  claim_until_ms bigint,
  paid_ms bigint,
  wallet_trade_no text,
  refunded_cents bigint not null,
  next_query_ms bigint,
  queried_ms bigint,
  created_ms bigint not null,
  modified_ms bigint not null,
  timeline_seq integer not null,
  timeline_hash bytea not null,
  reserved_cents bigint not null default 0,
  open_refund_nos text[] collate "C",
  payer_id text,
  return_url text,
  notifications_url text,
  wallet_options text,
  primary key (biz_no, app_id)
) with (fillfactor = 95);
create index orders_created on orders (created_ms);
create index orders_due on orders (next_query_ms) where next_query_ms is not null;
create index orders_id on orders (id);
create index orders_named on orders (created_ms) where customer_name is not null;
create index orders_of_customer on orders (app_id, customer_identity, created_ms desc, id desc) include (payment_status);
create index orders_paid on orders (right(pay_tool_id, 4), paid_ms) where paid_ms is not null;
create index orders_pending on orders (created_ms) where payment_status = 'PENDING' and pay_tool_id <> '';
create index orders_wallet_trade_no on orders (hashtextextended(wallet_trade_no, 0)) where wallet_trade_no is not null;
comment on table orders is 'Payment orders as they are; timeline says how they came to be so. The lock of a row puts an order''s changes in a row.';
comment on column orders.biz_no is 'The merchant''s number of the order, unique in its app and never used again.';
comment on column orders.app_id is 'The app that made it.';
comment on column orders.id is 'Assigned by the service; the number the wallet knows it by.';
comment on column orders.customer_identity is 'Who pays, in the app''s words; empty where the app has no accounts.';
comment on column orders.customer_name is 'What the customer is called, if the app said so.';
comment on column orders.amount_cents is 'What is to be paid, cents.';
comment on column orders.goods_title is 'What the wallet shows to the customer.';
comment on column orders.pay_channel is 'The wallet: WALLET_A or WALLET_B.';
comment on column orders.pay_source is 'Where the payment is opened: APP, H5, NATIVE, JSAPI or PC.';
comment on column orders.payment_status is 'PENDING, PAID, CLOSE or REFUND.';
comment on column orders.service_no is 'The number the app gave to the service the order buys, if it gave one.';
comment on column orders.service_type_no is 'Type of the timed service it buys; null for none.';
comment on column orders.service_name is 'Name of that type when the order was made.';
comment on column orders.service_duration_ms is 'Duration of that type when the order was made, milliseconds.';
comment on column orders.attach_data is 'The app''s own data. Text and not JSON: it comes back exactly as it was sent.';
comment on column orders.source_from is 'The app store the customer came from, if the app said so.';
comment on column orders.pay_tool_id is 'The merchant account that takes the money.';
comment on column orders.notify_url is 'Where the wallet reports; frozen with the order. Null if it is {notifications_url}/notify/{pay_channel}/{pay_tool_id}/{biz_no in base64url}.';
comment on column orders.expires_ms is 'Last instant at which the customer may pay, epoch milliseconds.';
comment on column orders.prepayment_issued_ms is 'When the wallet gave what opens the payment, epoch milliseconds; null until then, and once the order is paid.';
comment on column orders.prepayment_valid_until_ms is 'Until when a payment can be opened with it, epoch milliseconds; null with prepayment_issued_ms.';
comment on column orders.prepayment_values is 'What the wallet gave, JSON text that its adapter understands; null with prepayment_issued_ms.';
comment on column orders.claim_id is 'Names the process that is asking the wallet for a prepayment; null when none is.';
comment on column orders.claim_until_ms is 'When another process may ask instead, epoch milliseconds.';
comment on column orders.paid_ms is 'When the money was paid, by the wallet''s clock, epoch milliseconds.';
comment on column orders.wallet_trade_no is 'The wallet''s own number of the payment.';
comment on column orders.refunded_cents is 'Sum of the refunds that are CONFIRMED or SETTLED, cents.';
comment on column orders.next_query_ms is 'When the reconciler asks the wallet next, or reports the delivery of a PAID order, epoch milliseconds; null when there is nothing to do.';
comment on column orders.queried_ms is 'When a read last caused a question to the wallet, epoch milliseconds.';
comment on column orders.created_ms is 'When it was made, epoch milliseconds.';
comment on column orders.modified_ms is 'When it was last changed, epoch milliseconds.';
comment on column orders.timeline_seq is 'Number of the last event in timeline. Kept here, under the lock of this row.';
comment on column orders.timeline_hash is 'Hash of the last event in timeline.';
comment on column orders.reserved_cents is 'Sum of the refunds that have not ended, cents.';
comment on column orders.open_refund_nos is 'The refunds that are REQUESTED or SENT; null or empty when there are none.';
comment on column orders.payer_id is 'The customer''s id at the wallet, as the app named it; null where the payment needs none.';
comment on column orders.return_url is 'Where WALLET_B sends the customer''s browser after the payment; frozen at the wallet with the order. Null if it is {notifications_url}/return/{pay_channel}.';
comment on column orders.notifications_url is 'The host''s address for wallets when the order was made. notify_url and return_url follow from it; null if they are stored.';
comment on column orders.wallet_options is 'JSON text: what the creation gave, and what the wallet gets; null if there are no options.';
comment on index orders_pkey is 'The order of a request, and creation once a number.';
comment on index orders_created is 'The orders of a time range, newest first.';
comment on index orders_due is 'Orders the reconciler is to ask about, longest due first; no others are in it.';
comment on index orders_id is 'The order a wallet or an operator names.';
comment on index orders_named is 'Orders with a name of the customer, for the end of its retention.';
comment on index orders_of_customer is 'A customer''s orders, newest first. Counting, also in one status, reads the index alone.';
comment on index orders_paid is 'What each merchant account took on a day, to be compared with its bill. The end of an account''s id is short, and almost unique.';
comment on index orders_pending is 'The orders that wait for a payment, oldest first.';
comment on index orders_wallet_trade_no is 'Finds an order by the number that the wallet gave the payment. A hash of the number is shorter.';

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

create table imported_order_ids (
  id text collate "C" primary key,
  biz_no text collate "C" not null,
  app_id text collate "C" not null
);
comment on table imported_order_ids is 'The ids of imported orders. The orders are distributed by another column, so their table cannot make the id unique. Orders that were imported before this table existed are not in it.';
comment on column imported_order_ids.id is 'The id of the order: its number at the wallet.';
comment on column imported_order_ids.biz_no is 'The bizNo of the order that has the id.';
comment on column imported_order_ids.app_id is 'The app of the order that has the id.';
comment on index imported_order_ids_pkey is 'Each id for one order.';

create table timeline (
  biz_no text collate "C" not null,
  app_id text collate "C" not null,
  seq integer not null,
  type text not null,
  at_ms bigint not null,
  actor text not null,
  reason text not null,
  from_status text,
  to_status text,
  evidence text,
  alarm boolean not null,
  hash bytea not null,
  refund_no text,
  evidence_sha256 bytea,
  details text,
  reason_salt bytea,
  reason_digest bytea,
  primary key (biz_no, app_id, seq) with (fillfactor = 45)
);
create index timeline_alarms on timeline (at_ms, biz_no, app_id, seq) where alarm;
create index timeline_events on timeline (at_ms, biz_no, app_id, seq) where type in ('PAID', 'LATE_PAYMENT', 'CLOSED', 'REFUND_CONFIRMED', 'REFUND_SETTLED', 'REFUND_ADOPTED', 'REFUND_FAILED', 'REFUND_WITHDRAWN', 'REFUNDED') or alarm;
comment on table timeline is 'What happened to each order, in a chain of hashes. The application adds to it and can change nothing.';
comment on column timeline.biz_no is 'The order''s number.';
comment on column timeline.app_id is 'The order''s app.';
comment on column timeline.seq is '1 for the first event of the order, without gaps.';
comment on column timeline.type is 'What happened: CREATED, PAID, CLOSED, REFUNDED and others.';
comment on column timeline.at_ms is 'When it happened, epoch milliseconds.';
comment on column timeline.actor is 'Who: caller, wallet, expiry or operator:{name}.';
comment on column timeline.reason is 'What the person who acted wrote; empty if no person acted, and after its erasure.';
comment on column timeline.from_status is 'Status of the order before, where it changed.';
comment on column timeline.to_status is 'Status of the order after, where it changed.';
comment on column timeline.evidence is 'The cause of the event, such as a refund''s number; one type with the same evidence is recorded once. Null if evidence_sha256 is set.';
comment on column timeline.alarm is 'Whether a person must look at it.';
comment on column timeline.hash is 'SHA-256 of the previous event''s hash in hexadecimal, a line feed and the canonical text of the event. The first event uses the order''s id.';
comment on column timeline.refund_no is 'The refund of the event. Null for other events.';
comment on column timeline.evidence_sha256 is 'The cause, if it is the digest of the wallet''s message.';
comment on column timeline.details is 'The facts of the event, JSON text; null if its type has none. Amounts are cents.';
comment on column timeline.reason_salt is 'A random value that is hashed with the reason; null without a reason, after its erasure.';
comment on column timeline.reason_digest is 'The SHA-256 of the salt, a line feed and the reason, which the hash covers; null if there never was a reason.';
comment on index timeline_pkey is 'The events of an order as they happened.';
comment on index timeline_alarms is 'The alarms, which operators acknowledge.';
comment on index timeline_events is 'The entries that cause events, by their time.';

create table services (
  customer_identity text collate "C" not null,
  app_id text collate "C" not null,
  service_type_no text collate "C" not null,
  service_no text not null,
  service_name text not null,
  expire_ms bigint not null,
  grants_made integer not null,
  created_ms bigint not null,
  primary key (customer_identity, app_id, service_type_no)
);
comment on table services is 'How long each customer''s timed services last. The lock of a row puts changes of a service in a row.';
comment on column services.customer_identity is 'Whose service it is, in the app''s words.';
comment on column services.app_id is 'The app that sold it.';
comment on column services.service_type_no is 'Its type.';
comment on column services.service_no is 'Its number: the app''s, or assigned with the first order.';
comment on column services.service_name is 'What customers read.';
comment on column services.expire_ms is 'When it ends, epoch milliseconds.';
comment on column services.grants_made is 'How many orders extended it, those taken back included; numbers the next grant.';
comment on column services.created_ms is 'When the first order began it, epoch milliseconds.';
comment on index services_pkey is 'A customer''s services.';

create table service_grants (
  customer_identity text collate "C" not null,
  app_id text collate "C" not null,
  service_type_no text collate "C" not null,
  order_id text collate "C" not null,
  seq integer not null,
  granted_ms bigint not null,
  duration_ms bigint not null,
  primary key (customer_identity, app_id, service_type_no, order_id)
);
comment on table service_grants is 'What each paid order added to a service, in their order. A full refund deletes its row; the end is summed anew.';
comment on column service_grants.customer_identity is 'Whose service it is.';
comment on column service_grants.app_id is 'The app that sold the service.';
comment on column service_grants.service_type_no is 'The type of the service.';
comment on column service_grants.order_id is 'The id of the order.';
comment on column service_grants.seq is 'Its place among the grants of the service.';
comment on column service_grants.granted_ms is 'When it was granted, epoch milliseconds.';
comment on column service_grants.duration_ms is 'How much it added, milliseconds.';
comment on index service_grants_pkey is 'The grants of a service, one an order.';

create table refunds (
  biz_no text collate "C" not null,
  app_id text collate "C" not null,
  refund_no text collate "C" not null,
  amount_cents bigint not null,
  reason text not null,
  operator text not null,
  status text not null,
  wallet_refund_no text,
  next_try_ms bigint,
  created_ms bigint not null,
  modified_ms bigint not null,
  sending_until_ms bigint,
  primary key (biz_no, app_id, refund_no)
) with (fillfactor = 80);
create index refunds_confirmed on refunds (modified_ms, biz_no, app_id, refund_no) where status = 'CONFIRMED';
create index refunds_created on refunds (created_ms, biz_no, app_id, refund_no);
create index refunds_due on refunds (next_try_ms) where next_try_ms is not null;
create index refunds_of_app on refunds (app_id, created_ms, biz_no, refund_no);
create index refunds_of_number on refunds (refund_no, created_ms, biz_no, app_id);
create index refunds_of_operator on refunds (operator, created_ms, biz_no, app_id, refund_no);
create index refunds_of_status on refunds (status, created_ms, biz_no, app_id, refund_no);
create index refunds_of_wallet_number on refunds (wallet_refund_no, created_ms, biz_no, app_id, refund_no) where wallet_refund_no is not null;
comment on table refunds is 'Money on its way back to customers. A row is written before the wallet is called.';
comment on column refunds.biz_no is 'The order''s number.';
comment on column refunds.app_id is 'The order''s app.';
comment on column refunds.refund_no is 'The number its caller chose: one of the order''s own. With the order''s id it is the number the wallet knows it by.';
comment on column refunds.amount_cents is 'What goes back, cents.';
comment on column refunds.reason is 'Why, in the operator''s words.';
comment on column refunds.operator is 'Who asked for it.';
comment on column refunds.status is 'REQUESTED, SENT, WAITING_FOR_FUNDS, ABNORMAL, CONFIRMED, FAILED, WITHDRAWN or SETTLED; the last four are final.';
comment on column refunds.wallet_refund_no is 'The wallet''s own number.';
comment on column refunds.next_try_ms is 'When it is pursued next, epoch milliseconds; null when it is final.';
comment on column refunds.created_ms is 'When it was asked for, epoch milliseconds.';
comment on column refunds.modified_ms is 'When it entered its status, epoch milliseconds.';
comment on column refunds.sending_until_ms is 'Until when a call that sends it can be under way, epoch milliseconds; null if it was never sent.';
comment on index refunds_pkey is 'The refunds of an order.';
comment on index refunds_confirmed is 'What was refunded on a day, to be compared with the bills.';
comment on index refunds_created is 'All refunds, by the time of the request.';
comment on index refunds_due is 'Refunds to be pursued, longest due first; no others are in it.';
comment on index refunds_of_app is 'The refunds of each app, by the time of the request.';
comment on index refunds_of_number is 'The refunds of all orders with one number, in the order of lists.';
comment on index refunds_of_operator is 'The refunds that one operator requested, in the order of lists.';
comment on index refunds_of_status is 'The refunds in each status, by the time of the request.';
comment on index refunds_of_wallet_number is 'The refund with a number of the wallet.';

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
  requester_key text not null,
  primary key (biz_no, app_id, refund_no)
);
create index refund_approvals_due on refund_approvals (due_ms) where due_ms is not null;
create index refund_approvals_id on refund_approvals (id);
create index refund_approvals_requested on refund_approvals (requested_ms, id);
create index refund_approvals_state on refund_approvals (state, requested_ms, id);
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
comment on column refund_approvals.requester_key is 'The key of the name in requested_by: equal for all spellings of one name.';
comment on index refund_approvals_pkey is 'The approvals of an order.';
comment on index refund_approvals_due is 'Approved refunds that are not stored yet, the longest due first.';
comment on index refund_approvals_id is 'Finds an approval by its id.';
comment on index refund_approvals_requested is 'The approvals of every state, by the time of the request.';
comment on index refund_approvals_state is 'The approvals in each state, by the time of the request.';

create table event_handlers (
  name text collate "C" primary key,
  registered_ms bigint not null
);
comment on table event_handlers is 'The handlers that receive the events of orders. Empty if the host has none.';
comment on column event_handlers.name is 'The name of the handler.';
comment on column event_handlers.registered_ms is 'When the handler was registered, epoch milliseconds.';
comment on index event_handlers_pkey is 'Finds a handler by its name.';

create table event_deliveries (
  biz_no text collate "C" not null,
  app_id text collate "C" not null,
  handler text collate "C" not null,
  next_seq integer not null,
  next_index integer not null,
  last_seq integer not null,
  last_ms bigint not null,
  tries integer not null,
  due_ms bigint,
  claim_id text,
  parked_ms bigint,
  failure text collate "C",
  primary key (biz_no, app_id, handler)
);
create index event_deliveries_delivered on event_deliveries (last_ms) where due_ms is null and parked_ms is null;
create index event_deliveries_due on event_deliveries (handler, due_ms) where due_ms is not null;
create index event_deliveries_parked on event_deliveries (handler, parked_ms) where parked_ms is not null;
comment on table event_deliveries is 'Which events of an order a handler has received, and when it receives the next one.';
comment on column event_deliveries.biz_no is 'The number of the order.';
comment on column event_deliveries.app_id is 'The app of the order.';
comment on column event_deliveries.handler is 'The name of the handler.';
comment on column event_deliveries.next_seq is 'The number of the timeline event that caused the first event that was not delivered yet.';
comment on column event_deliveries.next_index is 'The number of this event among those with the same cause, from 0.';
comment on column event_deliveries.last_seq is 'The number of the last timeline event of the order that causes an event.';
comment on column event_deliveries.last_ms is 'The time of this timeline event, epoch milliseconds.';
comment on column event_deliveries.tries is 'The number of failed attempts to deliver the next event.';
comment on column event_deliveries.due_ms is 'When the next event is delivered, or when the claim ends, epoch milliseconds. Null if all events were delivered, or if the delivery is parked.';
comment on column event_deliveries.claim_id is 'The worker that delivers the events until due_ms. Null if no worker has claimed them.';
comment on column event_deliveries.parked_ms is 'When the attempts were given up, epoch milliseconds.';
comment on column event_deliveries.failure is 'Why the last attempt failed, without numbers, addresses and keys; null if none failed.';
comment on index event_deliveries_pkey is 'The deliveries of an order.';
comment on index event_deliveries_delivered is 'The deliveries without waiting events, for housekeeping.';
comment on index event_deliveries_due is 'The deliveries with waiting events, for each handler the longest due first.';
comment on index event_deliveries_parked is 'The parked deliveries of each handler.';

create table auth_codes (
  phone_hash text collate "C" not null,
  app_id text collate "C" not null,
  ends_ms bigint not null,
  tries integer not null,
  code_hashes text[] collate "C" not null,
  codes_expire_ms bigint[] not null,
  tries_before integer[] not null,
  day_tries integer not null,
  day_ends_ms bigint not null,
  primary key (phone_hash, app_id)
);
create index auth_codes_by_end on auth_codes (ends_ms);
comment on table auth_codes is 'The SMS codes of each phone number, and its wrong attempts.';
comment on column auth_codes.phone_hash is 'Keyed hash of app and phone number: "v{pepper version}:{hash}".';
comment on column auth_codes.app_id is 'The app it logs in to.';
comment on column auth_codes.ends_ms is 'When the codes have expired and the count of the day has ended, epoch milliseconds.';
comment on column auth_codes.tries is 'Wrong attempts while a code was live.';
comment on column auth_codes.code_hashes is 'Keyed hashes of the codes, newest first. The two newest can be live.';
comment on column auth_codes.codes_expire_ms is 'When each code expires, epoch milliseconds.';
comment on column auth_codes.tries_before is 'The value of tries when each code was added.';
comment on column auth_codes.day_tries is 'Wrong attempts of the day that ends at day_ends_ms.';
comment on column auth_codes.day_ends_ms is 'When the count of the day ends, epoch milliseconds; 0 before the first wrong attempt.';
comment on index auth_codes_pkey is 'The number an attempt is about.';
comment on index auth_codes_by_end is 'Numbers without a live code or count, for housekeeping.';

create table customers (
  phone_hash text collate "C" not null,
  app_id text collate "C" not null,
  customer_id text collate "C" not null,
  created_ms bigint not null,
  used_ms bigint,
  primary key (phone_hash, app_id)
);
create index customers_of_id on customers (customer_id, app_id);
comment on table customers is 'Who logs in with which phone number.';
comment on column customers.phone_hash is 'Keyed hash of app and phone number: "v{pepper version}:{hash}".';
comment on column customers.app_id is 'The app.';
comment on column customers.customer_id is 'Assigned by the service with the first login; the same under every pepper.';
comment on column customers.created_ms is 'When the row was made, epoch milliseconds.';
comment on column customers.used_ms is 'When the phone number last logged in, epoch milliseconds; null if no login was recorded yet.';
comment on index customers_pkey is 'The customer of a phone number.';
comment on index customers_of_id is 'The hashes of the phone numbers of one customer.';

create table session_owners (
  customer_id text collate "C" not null,
  app_id text collate "C" not null,
  opened_ms bigint not null,
  erased_ms bigint,
  primary key (customer_id, app_id)
);
create index session_owners_by_login on session_owners (opened_ms);
comment on table session_owners is 'Customers who have logged in. The lock of a row puts logins of a customer in a row; it is kept for nothing else.';
comment on column session_owners.customer_id is 'The customer.';
comment on column session_owners.app_id is 'The app.';
comment on column session_owners.opened_ms is 'When a session was last opened, epoch milliseconds.';
comment on column session_owners.erased_ms is 'When the customer was erased, epoch milliseconds; null otherwise. No session opens for an erased customer.';
comment on index session_owners_pkey is 'The row to lock.';
comment on index session_owners_by_login is 'Customers whose logins were long ago, for housekeeping.';

create table sessions (
  customer_id text collate "C" not null,
  app_id text collate "C" not null,
  token_hash text collate "C" not null,
  created_ms bigint not null,
  expires_ms bigint not null,
  label text,
  used_ms bigint,
  primary key (customer_id, app_id, token_hash)
);
create index sessions_by_end on sessions (expires_ms);
create index sessions_of_token on sessions using hash (token_hash);
comment on table sessions is 'Sessions, until they are ended or forgotten after their expiry.';
comment on column sessions.customer_id is 'Whose session it is; part of the token.';
comment on column sessions.app_id is 'The app it is for.';
comment on column sessions.token_hash is 'Digest of the token''s secret part.';
comment on column sessions.created_ms is 'When it was opened, epoch milliseconds.';
comment on column sessions.expires_ms is 'When it expires, epoch milliseconds.';
comment on column sessions.label is 'What the host calls the device; null if it set no name at the login.';
comment on column sessions.used_ms is 'When the session was used, stored at most once a day, epoch milliseconds; null on its first day.';
comment on index sessions_pkey is 'All sessions of a customer.';
comment on index sessions_by_end is 'Expired sessions, for housekeeping.';
comment on index sessions_of_token is 'The session of a token.';

create table quotas (
  subject text collate "C" not null,
  scope text collate "C" not null,
  day text collate "C" not null,
  used integer not null,
  primary key (subject, scope, day)
) with (fillfactor = 80);
create index quotas_by_day on quotas (day);
comment on table quotas is 'Counters of a business day.';
comment on column quotas.subject is 'Who is counted: a keyed phone hash, or the id of a downloads client.';
comment on column quotas.scope is 'What is counted: sms, sms-app, sms-country, sms-host, wrong-codes-app, downloads, bills or operator-sign-in.';
comment on column quotas.day is 'The business day, YYYY-MM-DD, or a period of it: YYYY-MM-DD/ and a name.';
comment on column quotas.used is 'Units used.';
comment on index quotas_pkey is 'The counter.';
comment on index quotas_by_day is 'Days that have ended, for housekeeping.';

create table quota_spacing (
  subject text collate "C" not null,
  scope text collate "C" not null,
  granted_ms bigint not null,
  primary key (subject, scope)
);
create index quota_spacing_by_grant on quota_spacing (granted_ms);
comment on table quota_spacing is 'When the last unit was granted, where units are kept apart in time.';
comment on column quota_spacing.subject is 'Who is counted, as in quotas.';
comment on column quota_spacing.scope is 'What is counted, as in quotas.';
comment on column quota_spacing.granted_ms is 'When it was granted, epoch milliseconds.';
comment on index quota_spacing_pkey is 'The time of the last unit.';
comment on index quota_spacing_by_grant is 'Spacings that are over, for housekeeping.';

create table downloads_clients (
  client_id text collate "C" primary key,
  app_id text collate "C" not null,
  daily_limit bigint not null,
  created_ms bigint not null,
  ends_ms bigint
);
comment on table downloads_clients is 'Callers of the downloads report.';
comment on column downloads_clients.client_id is 'Assigned by the service; the caller''s credential.';
comment on column downloads_clients.app_id is 'The app it may ask about.';
comment on column downloads_clients.daily_limit is 'Reports a day at most.';
comment on column downloads_clients.created_ms is 'When it was made, epoch milliseconds.';
comment on column downloads_clients.ends_ms is 'From when on it gets no report, epoch milliseconds; null without an end.';
comment on index downloads_clients_pkey is 'Who is asking.';

create table store_names (
  name text collate "C" primary key,
  store text collate "C" not null
);
comment on table store_names is 'Names of stores, whose counts are stored under the name of the store.';
comment on column store_names.name is 'A name in a file, or the name of the store itself.';
comment on column store_names.store is 'The store, by its name in reports.';
comment on index store_names_pkey is 'The store of a name.';

create table downloads (
  app_id text collate "C" not null,
  store text collate "C" not null,
  day date not null,
  new_downloads bigint not null,
  update_downloads bigint not null,
  primary key (app_id, store, day),
  constraint downloads_new_count check (new_downloads between 0 and 9007199254740991),
  constraint downloads_update_count check (update_downloads between 0 and 9007199254740991)
);
create index downloads_by_day on downloads (app_id, day);
comment on table downloads is 'How often an app was downloaded.';
comment on column downloads.app_id is 'The app.';
comment on column downloads.store is 'The app store.';
comment on column downloads.day is 'The day.';
comment on column downloads.new_downloads is 'First installations of the day, a number of downloads.';
comment on column downloads.update_downloads is 'Updates of the day, a number of downloads.';
comment on index downloads_pkey is 'The count of a day.';
comment on index downloads_by_day is 'The days of a report.';

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
  modified_ms bigint not null,
  detail text,
  opened_ms bigint not null,
  remedy text collate "C"
);
create index bill_exceptions_by_day on bill_exceptions (day, pay_channel, app_env, account_id, state) where state in ('OPEN', 'RESOLVED');
create index bill_exceptions_by_state on bill_exceptions (state, created_ms, id);
create index bill_exceptions_of_bill on bill_exceptions (day, account_id, as_of_ms, id) where state = 'OPEN';
create index bill_exceptions_of_day on bill_exceptions (day, state, created_ms, id);
create index bill_exceptions_of_order on bill_exceptions (out_trade_no, state, created_ms, id);
create index bill_exceptions_of_order_key on bill_exceptions (biz_no, app_id, state, created_ms, id) where biz_no is not null;
comment on table bill_exceptions is 'Differences between the wallets'' bills and the record, for an operator to work off. None is ever removed.';
comment on column bill_exceptions.id is 'Digest of merchant, kind and numbers, and of the day if there is no number. Every run computes the same digest.';
comment on column bill_exceptions.pay_channel is 'The wallet: WALLET_A or WALLET_B.';
comment on column bill_exceptions.app_env is 'DEV for the wallet''s sandbox gateway, otherwise PROD.';
comment on column bill_exceptions.account_id is 'The merchant''s account at the wallet.';
comment on column bill_exceptions.day is 'Day of the bill in China, YYYY-MM-DD.';
comment on column bill_exceptions.kind is 'PAYMENT or REFUND, then NOT_HERE, NOT_THERE or AMOUNT: who lacks it, or that the amounts differ. Of the fund-flow bill: MOVEMENT_MISSING, MOVEMENT_UNKNOWN, MOVEMENT_AMOUNT, FEE_AMOUNT, FEE_TOTAL, BALANCE. Of lines that cannot be read: UNREADABLE_LINE, UNREADABLE_MOVEMENT.';
comment on column bill_exceptions.out_trade_no is 'The order''s id, as the wallet knows it; empty if the difference is about a whole day, or if it cannot be read.';
comment on column bill_exceptions.refund_no is 'The refund''s number; null for a payment, and for a refund without one.';
comment on column bill_exceptions.wallet_trade_no is 'The wallet''s own number of the payment, if it is known.';
comment on column bill_exceptions.amount_there_cents is 'What the bill states, cents, the fund-flow bill if the kind is its; null where it has no such line.';
comment on column bill_exceptions.amount_here_cents is 'What the record states, cents, or the trade bill if the kind is the fund-flow bill''s; null where it has nothing of the kind.';
comment on column bill_exceptions.status_here is 'Status of the order, or of the refund, when it was last found.';
comment on column bill_exceptions.app_id is 'App of the order, if there is one of this number, or if an operator assigned one.';
comment on column bill_exceptions.biz_no is 'The merchant''s number of that order.';
comment on column bill_exceptions.state is 'OPEN, or how it was closed: HEALED, GONE, LISTED or RESOLVED.';
comment on column bill_exceptions.operator is 'Who resolved it last.';
comment on column bill_exceptions.note is 'What they found out; empty after its erasure.';
comment on column bill_exceptions.as_of_ms is 'When the run began that last looked, epoch milliseconds; an earlier one changes nothing.';
comment on column bill_exceptions.created_ms is 'When it was first found, epoch milliseconds.';
comment on column bill_exceptions.modified_ms is 'When it was last found or changed, epoch milliseconds.';
comment on column bill_exceptions.detail is 'What is wrong with a line that cannot be read, in words; nothing of its text.';
comment on column bill_exceptions.opened_ms is 'When it last became OPEN, epoch milliseconds; one that was never OPEN has the time of its creation.';
comment on column bill_exceptions.remedy is 'How an operator closed it last: settle, assign or not-ours.';
comment on index bill_exceptions_pkey is 'Each difference once.';
comment on index bill_exceptions_by_day is 'What is open and what was resolved of each bill, counted for a range of days.';
comment on index bill_exceptions_by_state is 'What an operator works off, first found first.';
comment on index bill_exceptions_of_bill is 'What earlier runs over a bill found and the last did not.';
comment on index bill_exceptions_of_day is 'The exceptions of one day in one state, in the order of lists.';
comment on index bill_exceptions_of_order is 'The exceptions of one order in one state, in the order of lists.';
comment on index bill_exceptions_of_order_key is 'The exceptions that name one order in one state, in the order of lists.';

create table operators (
  name text collate "C" primary key,
  role text not null,
  apps jsonb,
  password_hash text not null,
  must_change_password boolean not null,
  totp_secret text,
  totp_last_step bigint,
  disabled boolean not null,
  created_ms bigint not null,
  modified_ms bigint not null,
  grants text not null default '[]',
  disabled_ms bigint
);
create unique index operators_by_name_key on operators (lower(name));
comment on table operators is 'The accounts of operators.';
comment on column operators.name is 'The name that the operator signs in with.';
comment on column operators.role is 'The role: viewer, support, finance or admin.';
comment on column operators.apps is 'The apps that the operator sees, as a JSON array. Null: every app.';
comment on column operators.password_hash is 'The scrypt hash of the password, with its parameters and salt.';
comment on column operators.must_change_password is 'Whether the operator must choose another password after the next sign-in.';
comment on column operators.totp_secret is 'The encrypted key of the second factor. Null until it is set up.';
comment on column operators.totp_last_step is 'The last used time step of the second factor.';
comment on column operators.disabled is 'Whether the operator cannot sign in.';
comment on column operators.created_ms is 'When the account was created, epoch milliseconds.';
comment on column operators.modified_ms is 'When the account was changed last, epoch milliseconds.';
comment on column operators.grants is 'Who created, reset, raised or enabled the account, when and from where, as a JSON array.';
comment on column operators.disabled_ms is 'When the account was disabled last, epoch milliseconds. Null: never.';
comment on index operators_pkey is 'Finds an account by its name.';
comment on index operators_by_name_key is 'Finds an account by its name in any case, so that no two names differ only in case.';

create table operator_sessions (
  token_hash text collate "C" primary key,
  operator text collate "C" not null,
  csrf_hash text not null,
  complete boolean not null,
  created_ms bigint not null,
  expires_ms bigint not null,
  seen_ms bigint not null
);
create index operator_sessions_by_operator on operator_sessions (operator);
create index operator_sessions_expired on operator_sessions (expires_ms);
comment on table operator_sessions is 'The sessions of operators in their browsers.';
comment on column operator_sessions.token_hash is 'SHA-256 of the token in the cookie.';
comment on column operator_sessions.operator is 'The name of the operator.';
comment on column operator_sessions.csrf_hash is 'SHA-256 of the token that changes must send as a header.';
comment on column operator_sessions.complete is 'Whether the second factor was entered, or is not needed.';
comment on column operator_sessions.created_ms is 'When the session was opened, epoch milliseconds.';
comment on column operator_sessions.expires_ms is 'When the session ends, epoch milliseconds.';
comment on column operator_sessions.seen_ms is 'When the session was used last, epoch milliseconds.';
comment on index operator_sessions_pkey is 'Finds a session by the hash of its token.';
comment on index operator_sessions_by_operator is 'The sessions of an operator, to end them.';
comment on index operator_sessions_expired is 'The expired sessions, for housekeeping.';

create table sign_in_attempts (
  subject text collate "C" primary key,
  attempts_ms bigint[] not null,
  last_ms bigint not null
);
create index sign_in_attempts_past on sign_in_attempts (last_ms);
comment on table sign_in_attempts is 'The recent wrong attempts of operators to sign in.';
comment on column sign_in_attempts.subject is 'Hash of the name, the address or the browser that the attempts are counted for.';
comment on column sign_in_attempts.attempts_ms is 'The times of the attempts, oldest first, epoch milliseconds.';
comment on column sign_in_attempts.last_ms is 'The time of the last change, epoch milliseconds.';
comment on index sign_in_attempts_pkey is 'Finds the attempts of one subject.';
comment on index sign_in_attempts_past is 'Attempts that no longer count, for housekeeping.';

create table begun_changes (
  operator text collate "C" not null,
  change_id text collate "C" not null,
  digest text not null,
  lease_ms bigint not null,
  draft text not null,
  primary key (operator, change_id)
);
create index begun_changes_lease on begun_changes (lease_ms);
comment on table begun_changes is 'The changes that operators have begun, and whose outcome is not in the audit log yet.';
comment on column begun_changes.operator is 'The name of the operator.';
comment on column begun_changes.change_id is 'The id of the change.';
comment on column begun_changes.digest is 'SHA-256 of what the operator asked for.';
comment on column begun_changes.lease_ms is 'Until when only the process that began the change works on it, epoch milliseconds.';
comment on column begun_changes.draft is 'The entry of the audit log without its outcome, as JSON text.';
comment on index begun_changes_pkey is 'Finds a begun change.';
comment on index begun_changes_lease is 'The changes that did not end, the longest first.';

create table audit_log (
  seq bigint primary key,
  at_ms bigint not null,
  operator text collate "C" not null,
  action text collate "C" not null,
  outcome text collate "C" not null,
  subject text collate "C" not null,
  app_id text collate "C",
  reason text not null,
  detail text,
  origin text not null,
  trace_id text not null,
  previous_hash text not null,
  hash text not null,
  change_id text collate "C",
  change_digest text
);
create index audit_log_by_action on audit_log (action, at_ms, seq);
create index audit_log_by_app on audit_log (app_id, at_ms, seq) where app_id is not null;
create index audit_log_by_operator on audit_log (operator, at_ms, seq);
create index audit_log_by_outcome on audit_log (outcome, at_ms, seq) where outcome <> 'done';
create index audit_log_by_subject on audit_log (subject, at_ms, seq);
create index audit_log_by_subject_name on audit_log (coalesce(substring(subject from '^[^:]*:(?:[^/]*/)?(.*)$'), subject), at_ms, seq);
create index audit_log_by_time on audit_log (at_ms, seq);
create unique index audit_log_outcome on audit_log (operator, change_id) where change_id is not null and outcome <> 'unknown';
create index audit_log_unknown on audit_log (operator, change_id) where outcome = 'unknown';
comment on table audit_log is 'What operators did. Rows are never changed and never removed.';
comment on column audit_log.seq is 'The number of the entry, from 1 without gaps.';
comment on column audit_log.at_ms is 'The time, epoch milliseconds.';
comment on column audit_log.operator is 'The name of the operator. Empty for a request without a session.';
comment on column audit_log.action is 'What the operator did, such as refund.request.';
comment on column audit_log.outcome is 'How it ended: done, refused, failed or unknown.';
comment on column audit_log.subject is 'What the action was about, such as order:app_1/biz-1.';
comment on column audit_log.app_id is 'The app of the subject. Null if it belongs to no app.';
comment on column audit_log.reason is 'The reason that the operator gave.';
comment on column audit_log.detail is 'Facts such as amounts, as JSON text, without secrets and personal data.';
comment on column audit_log.origin is 'The address of the peer, cli or host.';
comment on column audit_log.trace_id is 'The trace id of the request. Empty for a command.';
comment on column audit_log.previous_hash is 'The hash of the previous entry. Empty for the first one.';
comment on column audit_log.hash is 'SHA-256 over the previous hash and the entry.';
comment on column audit_log.change_id is 'The id of the change that the operator asked for. Null if the entry is no change.';
comment on column audit_log.change_digest is 'SHA-256 of what the operator asked for. Null if the entry is no change.';
comment on index audit_log_pkey is 'The entries in their order. Two appends at once cannot get one number.';
comment on index audit_log_by_action is 'The entries of an action, in the order of lists.';
comment on index audit_log_by_app is 'The entries of an app, in the order of lists.';
comment on index audit_log_by_operator is 'The entries of an operator, in the order of lists.';
comment on index audit_log_by_outcome is 'The entries that were refused or failed, in the order of lists.';
comment on index audit_log_by_subject is 'The entries about one subject, in the order of lists.';
comment on index audit_log_by_subject_name is 'The entries about a number or a name, such as an order''s number, in the order of lists.';
comment on index audit_log_by_time is 'The entries of a time range.';
comment on index audit_log_outcome is 'The outcome of each change. Keeps a change from taking effect twice.';
comment on index audit_log_unknown is 'The changes whose outcome is unknown.';

create table alert_channels (
  name text collate "C" primary key,
  state text not null,
  due_ms bigint not null,
  claim_id text collate "C",
  claimed_until_ms bigint
);
comment on table alert_channels is 'The channels that receive alerts. The row of a channel that is no longer configured stays.';
comment on column alert_channels.name is 'The name of the channel, as the host configures it.';
comment on column alert_channels.state is 'JSON: which alerts the channel was sent, and when each is due again; empty before the first.';
comment on column alert_channels.due_ms is 'When a process looks at the channel next, epoch milliseconds.';
comment on column alert_channels.claim_id is 'The claim of the process that is sending; null if none is.';
comment on column alert_channels.claimed_until_ms is 'When another process may claim the channel, epoch milliseconds; null without a claim.';
comment on index alert_channels_pkey is 'Each channel once.';

create table figures (
  name text collate "C" primary key,
  reading text not null,
  read_ms bigint,
  claim_id text collate "C",
  claimed_until_ms bigint
);
comment on table figures is 'The newest reading of the record, for metrics. One row.';
comment on column figures.name is 'Always record.';
comment on column figures.reading is 'JSON: what waits, by kind; empty before the first reading.';
comment on column figures.read_ms is 'When it was read, epoch milliseconds; null before the first reading.';
comment on column figures.claim_id is 'The claim of the process that is reading; null if none is.';
comment on column figures.claimed_until_ms is 'When another process may claim the reading, epoch milliseconds; null without a claim.';
comment on index figures_pkey is 'The reading once.';

create table readiness (
  name text collate "C" primary key,
  written_ms bigint not null
);
comment on table readiness is 'What readiness checks write. One row.';
comment on column readiness.name is 'Always host.';
comment on column readiness.written_ms is 'When a host last wrote it, epoch milliseconds by the clock of the host.';
comment on index readiness_pkey is 'The row once.';

comment on table schema_migrations is 'Migrations that were applied.';
comment on column schema_migrations.version is 'Number of the migration.';
comment on column schema_migrations.name is 'Name of its file, without the ending.';
comment on column schema_migrations.checksum is 'SHA-256 of its text, so that an edited one shows.';
comment on column schema_migrations.breaking is 'Whether versions that do not know it refuse the schema.';
comment on column schema_migrations.applied_at is 'When it was applied.';
comment on index schema_migrations_pkey is 'The migration with a number.';
`,
);
