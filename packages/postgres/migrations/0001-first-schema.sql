-- The first schema. Times are epoch milliseconds (`_ms`), money is cents (`_cents`). Keys and whatever lists sort by compare byte by byte
-- (collation "C"): the same order on every machine, and case matters. The first column of each primary key is the column a table is
-- distributed by; `apps`, `pay_tools`, `service_types` and `downloads_clients` are small reference tables, copied to every node.

create table apps (
  app_id text collate "C" primary key,
  name text not null,
  account_based boolean not null,
  check_email boolean not null,
  check_phone boolean not null,
  check_card boolean not null,
  disabled boolean not null,
  -- [{ "hash", "gmtCreate", "expiresAt"? }], newest first.
  secrets jsonb not null,
  created_ms bigint not null,
  modified_ms bigint not null
);

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
  -- AES-256-GCM: "v{key version}:{base64url of nonce, tag and ciphertext}".
  credentials text not null,
  is_current boolean not null,
  created_ms bigint not null,
  modified_ms bigint not null
);
create unique index pay_tools_current on pay_tools (app_id, pay_channel) where is_current;

create table service_types (
  app_id text collate "C" not null,
  service_type_no text collate "C" not null,
  service_name text not null,
  duration_ms bigint not null,
  created_ms bigint not null,
  primary key (app_id, service_type_no)
);

create table downloads_clients (
  client_id text collate "C" primary key,
  app_id text collate "C" not null,
  daily_limit bigint not null,
  created_ms bigint not null
);

-- Distributed by biz_no, with timeline and refunds.
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
  -- Text and not JSON: it comes back exactly as it was sent.
  attach_data text,
  source_from text,
  pay_tool_id text collate "C" not null,
  notify_url text not null,
  expires_ms bigint not null,
  prepayment_issued_ms bigint,
  prepayment_valid_until_ms bigint,
  -- JSON text.
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
  -- The end of the timeline and the refund under way are kept here because the lock of this row is what puts changes in a row.
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

-- Distributed by customer_identity, with service_grants.
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

-- What each paid order added to a service, in the order it was added.
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

-- Distributed by phone_hash, with customers.
create table auth_codes (
  phone_hash text collate "C" not null,
  app_id text collate "C" not null,
  code_hash text collate "C" not null,
  expires_ms bigint not null,
  tries integer not null,
  primary key (phone_hash, app_id)
);
create index auth_codes_by_end on auth_codes (expires_ms);

create table customers (
  phone_hash text collate "C" not null,
  app_id text collate "C" not null,
  customer_id text collate "C" not null,
  created_ms bigint not null,
  primary key (phone_hash, app_id)
);

-- Distributed by customer_id, with sessions. Its rows are what puts the logins of one customer in a row.
create table session_owners (
  customer_id text collate "C" not null,
  app_id text collate "C" not null,
  opened_ms bigint not null,
  primary key (customer_id, app_id)
);
create index session_owners_by_login on session_owners (opened_ms);

create table sessions (
  customer_id text collate "C" not null,
  app_id text collate "C" not null,
  token_hash text collate "C" not null,
  created_ms bigint not null,
  expires_ms bigint not null,
  primary key (customer_id, app_id, token_hash)
);
create index sessions_by_end on sessions (expires_ms);

-- Distributed by subject.
create table quotas (
  subject text collate "C" not null,
  scope text collate "C" not null,
  day text collate "C" not null,
  used integer not null,
  primary key (subject, scope, day)
) with (fillfactor = 80);
create index quotas_by_day on quotas (day);

create table quota_spacing (
  subject text collate "C" not null,
  scope text collate "C" not null,
  granted_ms bigint not null,
  primary key (subject, scope)
);
create index quota_spacing_by_grant on quota_spacing (granted_ms);

-- Distributed by app_id.
create table downloads (
  app_id text collate "C" not null,
  store text collate "C" not null,
  day date not null,
  new_downloads bigint not null,
  update_downloads bigint not null,
  primary key (app_id, store, day)
);
create index downloads_by_day on downloads (app_id, day);
