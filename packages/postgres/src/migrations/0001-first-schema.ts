import { toMigration } from "../migration.js";

/** Migration 0001-first-schema. Its SQL never changes, because databases store its checksum. */
export const firstSchema = toMigration(
  "0001-first-schema",
  `-- The first schema. Times are epoch milliseconds (\`_ms\`), money is cents (\`_cents\`). Keys and whatever lists sort by compare byte by byte
-- (collation "C"): the same order on every machine, and case matters. The first column of each primary key is the column a table is
-- distributed by; \`apps\`, \`pay_tools\`, \`service_types\` and \`downloads_clients\` are small reference tables, copied to every node. What
-- everything is for is said by its comment, in the database too, and docs/reference/database.md is made of these.

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
  modified_ms bigint not null
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
  modified_ms bigint not null
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
comment on index pay_tools_pkey is 'The account of an order or of a wallet''s report.';
comment on index pay_tools_current is 'The account new orders use: at most one an app and wallet.';

create table service_types (
  app_id text collate "C" not null,
  service_type_no text collate "C" not null,
  service_name text not null,
  duration_ms bigint not null,
  created_ms bigint not null,
  primary key (app_id, service_type_no)
);
comment on table service_types is 'Timed services that orders can buy.';
comment on column service_types.app_id is 'The app that sells it.';
comment on column service_types.service_type_no is 'Its number, unique in the app.';
comment on column service_types.service_name is 'What customers read.';
comment on column service_types.duration_ms is 'How long one order lasts, milliseconds.';
comment on column service_types.created_ms is 'When it was made, epoch milliseconds.';
comment on index service_types_pkey is 'What an order buys, and the list of an app.';

create table downloads_clients (
  client_id text collate "C" primary key,
  app_id text collate "C" not null,
  daily_limit bigint not null,
  created_ms bigint not null
);
comment on table downloads_clients is 'Callers of the downloads report.';
comment on column downloads_clients.client_id is 'Assigned by the service; the caller''s credential.';
comment on column downloads_clients.app_id is 'The app it may ask about.';
comment on column downloads_clients.daily_limit is 'Reports a day at most.';
comment on column downloads_clients.created_ms is 'When it was made, epoch milliseconds.';
comment on index downloads_clients_pkey is 'Who is asking.';

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
  notify_url text not null,
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
  timeline_hash text not null,
  open_refund_no text collate "C",
  primary key (biz_no, app_id)
) with (fillfactor = 80);
create index orders_id on orders (id);
create index orders_of_customer on orders (app_id, customer_identity, created_ms desc, id desc);
create index orders_of_customer_by_status
  on orders (app_id, customer_identity, payment_status, created_ms desc, id desc);
create index orders_due on orders (next_query_ms) where next_query_ms is not null;
comment on table orders is 'Payment orders as they are; timeline says how they came to be so. The lock of a row puts an order''s changes in a row.';
comment on column orders.biz_no is 'The merchant''s number of the order, unique in its app and never used again.';
comment on column orders.app_id is 'The app that made it.';
comment on column orders.id is 'Assigned by the service; the number the wallet knows it by.';
comment on column orders.customer_identity is 'Who pays, in the app''s words; empty where the app has no accounts.';
comment on column orders.customer_name is 'What the customer is called, if the app said so.';
comment on column orders.amount_cents is 'What is to be paid, cents.';
comment on column orders.goods_title is 'What the wallet shows to the customer.';
comment on column orders.pay_channel is 'The wallet: WALLET_A or WALLET_B.';
comment on column orders.pay_source is 'Where the payment is opened: APP, H5 or NATIVE.';
comment on column orders.payment_status is 'PENDING, PAID, CLOSE or REFUND.';
comment on column orders.service_no is 'The number the app gave to the service the order buys, if it gave one.';
comment on column orders.service_type_no is 'Type of the timed service it buys; null for none.';
comment on column orders.service_name is 'Name of that type when the order was made.';
comment on column orders.service_duration_ms is 'Duration of that type when the order was made, milliseconds.';
comment on column orders.attach_data is 'The app''s own data. Text and not JSON: it comes back exactly as it was sent.';
comment on column orders.source_from is 'The app store the customer came from, if the app said so.';
comment on column orders.pay_tool_id is 'The merchant account that takes the money.';
comment on column orders.notify_url is 'Where the wallet reports; frozen with the order.';
comment on column orders.expires_ms is 'Last instant at which the customer may pay, epoch milliseconds.';
comment on column orders.prepayment_issued_ms is 'When the wallet gave what opens the payment, epoch milliseconds; null until then.';
comment on column orders.prepayment_valid_until_ms is 'Until when a payment can be opened with it, epoch milliseconds.';
comment on column orders.prepayment_values is 'What the wallet gave, JSON text that its adapter understands.';
comment on column orders.claim_id is 'Names the process that is asking the wallet for a prepayment; null when none is.';
comment on column orders.claim_until_ms is 'When another process may ask instead, epoch milliseconds.';
comment on column orders.paid_ms is 'When the money was paid, by the wallet''s clock, epoch milliseconds.';
comment on column orders.wallet_trade_no is 'The wallet''s own number of the payment.';
comment on column orders.refunded_cents is 'Sum of the confirmed refunds, cents.';
comment on column orders.next_query_ms is 'When the reconciler asks the wallet next, epoch milliseconds; null when there is nothing to ask.';
comment on column orders.queried_ms is 'When a read last caused a question to the wallet, epoch milliseconds.';
comment on column orders.created_ms is 'When it was made, epoch milliseconds.';
comment on column orders.modified_ms is 'When it was last changed, epoch milliseconds.';
comment on column orders.timeline_seq is 'Number of the last event in timeline. Kept here, under the lock of this row.';
comment on column orders.timeline_hash is 'Hash of the last event in timeline.';
comment on column orders.open_refund_no is 'The refund under way; null when there is none.';
comment on index orders_pkey is 'The order of a request, and creation once a number.';
comment on index orders_id is 'The order a wallet or an operator names.';
comment on index orders_of_customer is 'A customer''s orders, newest first.';
comment on index orders_of_customer_by_status is 'The same in one status; counting reads the index alone.';
comment on index orders_due is 'Orders the reconciler is to ask about, longest due first; no others are in it.';

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
  previous_hash text not null,
  hash text not null,
  primary key (biz_no, app_id, seq)
);
comment on table timeline is 'What happened to each order, in a chain of hashes. The application adds to it and can change nothing.';
comment on column timeline.biz_no is 'The order''s number.';
comment on column timeline.app_id is 'The order''s app.';
comment on column timeline.seq is '1 for the first event of the order, without gaps.';
comment on column timeline.type is 'What happened: CREATED, PAID, CLOSED, REFUNDED and others.';
comment on column timeline.at_ms is 'When it happened, epoch milliseconds.';
comment on column timeline.actor is 'Who: caller, wallet, expiry or operator:{name}.';
comment on column timeline.reason is 'Why, in words for an operator.';
comment on column timeline.from_status is 'Status of the order before, where it changed.';
comment on column timeline.to_status is 'Status of the order after, where it changed.';
comment on column timeline.evidence is 'Digest of the wallet''s message this rests on; one type with the same evidence is recorded once.';
comment on column timeline.alarm is 'Whether a person must look at it.';
comment on column timeline.previous_hash is 'Hash of the event before; the order''s id for the first.';
comment on column timeline.hash is 'SHA-256 of previous_hash, a line feed and the canonical text of the event.';
comment on index timeline_pkey is 'The events of an order as they happened.';

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
  primary key (biz_no, app_id, refund_no)
) with (fillfactor = 80);
create index refunds_due on refunds (next_try_ms) where next_try_ms is not null;
comment on table refunds is 'Money on its way back to customers. A row is written before the wallet is called.';
comment on column refunds.biz_no is 'The order''s number.';
comment on column refunds.app_id is 'The order''s app.';
comment on column refunds.refund_no is 'The number its caller chose: one of the order''s own. With the order''s id it is the number the wallet knows it by.';
comment on column refunds.amount_cents is 'What goes back, cents.';
comment on column refunds.reason is 'Why, in the operator''s words.';
comment on column refunds.operator is 'Who asked for it.';
comment on column refunds.status is 'REQUESTED, SENT, CONFIRMED or FAILED; the last two are final.';
comment on column refunds.wallet_refund_no is 'The wallet''s own number.';
comment on column refunds.next_try_ms is 'When it is pursued next, epoch milliseconds; null when it is final.';
comment on column refunds.created_ms is 'When it was asked for, epoch milliseconds.';
comment on column refunds.modified_ms is 'When it was last changed, epoch milliseconds.';
comment on index refunds_pkey is 'The refunds of an order.';
comment on index refunds_due is 'Refunds to be pursued, longest due first; no others are in it.';

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

create table auth_codes (
  phone_hash text collate "C" not null,
  app_id text collate "C" not null,
  code_hash text collate "C" not null,
  expires_ms bigint not null,
  tries integer not null,
  primary key (phone_hash, app_id)
);
create index auth_codes_by_end on auth_codes (expires_ms);
comment on table auth_codes is 'The live SMS code of each phone number.';
comment on column auth_codes.phone_hash is 'Keyed hash of app and phone number: "v{pepper version}:{hash}".';
comment on column auth_codes.app_id is 'The app it logs in to.';
comment on column auth_codes.code_hash is 'Keyed hash of the code.';
comment on column auth_codes.expires_ms is 'When it expires, epoch milliseconds.';
comment on column auth_codes.tries is 'Wrong attempts so far.';
comment on index auth_codes_pkey is 'The code an attempt is about.';
comment on index auth_codes_by_end is 'Expired codes, for housekeeping.';

create table customers (
  phone_hash text collate "C" not null,
  app_id text collate "C" not null,
  customer_id text collate "C" not null,
  created_ms bigint not null,
  primary key (phone_hash, app_id)
);
comment on table customers is 'Who logs in with which phone number.';
comment on column customers.phone_hash is 'Keyed hash of app and phone number: "v{pepper version}:{hash}".';
comment on column customers.app_id is 'The app.';
comment on column customers.customer_id is 'Assigned by the service with the first login; the same under every pepper.';
comment on column customers.created_ms is 'When the row was made, epoch milliseconds.';
comment on index customers_pkey is 'The customer of a phone number.';

create table session_owners (
  customer_id text collate "C" not null,
  app_id text collate "C" not null,
  opened_ms bigint not null,
  primary key (customer_id, app_id)
);
create index session_owners_by_login on session_owners (opened_ms);
comment on table session_owners is 'Customers who have logged in. The lock of a row puts logins of a customer in a row; it is kept for nothing else.';
comment on column session_owners.customer_id is 'The customer.';
comment on column session_owners.app_id is 'The app.';
comment on column session_owners.opened_ms is 'When a session was last opened, epoch milliseconds.';
comment on index session_owners_pkey is 'The row to lock.';
comment on index session_owners_by_login is 'Customers whose logins were long ago, for housekeeping.';

create table sessions (
  customer_id text collate "C" not null,
  app_id text collate "C" not null,
  token_hash text collate "C" not null,
  created_ms bigint not null,
  expires_ms bigint not null,
  primary key (customer_id, app_id, token_hash)
);
create index sessions_by_end on sessions (expires_ms);
comment on table sessions is 'Sessions, until they are ended or forgotten after their expiry.';
comment on column sessions.customer_id is 'Whose session it is; part of the token.';
comment on column sessions.app_id is 'The app it is for.';
comment on column sessions.token_hash is 'Digest of the token''s secret part.';
comment on column sessions.created_ms is 'When it was opened, epoch milliseconds.';
comment on column sessions.expires_ms is 'When it expires, epoch milliseconds.';
comment on index sessions_pkey is 'The session of a token, and all of a customer.';
comment on index sessions_by_end is 'Expired sessions, for housekeeping.';

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
comment on column quotas.scope is 'What is counted: sms, code-tries or downloads.';
comment on column quotas.day is 'The business day, YYYY-MM-DD.';
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

create table downloads (
  app_id text collate "C" not null,
  store text collate "C" not null,
  day date not null,
  new_downloads bigint not null,
  update_downloads bigint not null,
  primary key (app_id, store, day)
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

-- Made before the first migration, because it says which were applied.
comment on table schema_migrations is 'Migrations that were applied.';
comment on column schema_migrations.version is 'Number of the migration.';
comment on column schema_migrations.name is 'Name of its file, without the ending.';
comment on column schema_migrations.checksum is 'SHA-256 of its text, so that an edited one shows.';
comment on column schema_migrations.breaking is 'Whether versions that do not know it refuse the schema.';
comment on column schema_migrations.applied_at is 'When it was applied.';
comment on index schema_migrations_pkey is 'The migration with a number.';
`,
);
