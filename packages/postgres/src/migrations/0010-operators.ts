import { toMigration } from "../migration.js";

/** Migration 0010-operators. Its SQL never changes, because databases store its checksum. */
export const operators = toMigration(
  "0010-operators",
  `-- Operators have accounts, and the audit log records what they do.

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
  modified_ms bigint not null
);
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
comment on index operators_pkey is 'Finds an account by its name.';

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
  hash text not null
);
create index audit_log_by_operator on audit_log (operator, seq);
create index audit_log_by_subject on audit_log (subject, seq);
create index audit_log_by_app on audit_log (app_id, seq) where app_id is not null;
comment on table audit_log is 'What operators did. Rows are never changed and never removed.';
comment on column audit_log.seq is 'The number of the entry, from 1 without gaps.';
comment on column audit_log.at_ms is 'The time, epoch milliseconds.';
comment on column audit_log.operator is 'The name of the operator. Empty for a request without a session.';
comment on column audit_log.action is 'What the operator did, such as refund.request.';
comment on column audit_log.outcome is 'How it ended: done, refused or failed.';
comment on column audit_log.subject is 'What the action was about, such as order:app_1/biz-1.';
comment on column audit_log.app_id is 'The app of the subject. Null if it belongs to no app.';
comment on column audit_log.reason is 'The reason that the operator gave.';
comment on column audit_log.detail is 'Facts such as amounts, as JSON text, without secrets and personal data.';
comment on column audit_log.origin is 'The address of the peer, cli or host.';
comment on column audit_log.trace_id is 'The trace id of the request. Empty for a command.';
comment on column audit_log.previous_hash is 'The hash of the previous entry. Empty for the first one.';
comment on column audit_log.hash is 'SHA-256 over the previous hash and the entry.';
comment on index audit_log_pkey is 'The entries in their order. Two appends at once cannot get one number.';
comment on index audit_log_by_operator is 'The entries of an operator, in their order.';
comment on index audit_log_by_subject is 'The entries about one subject, in their order.';
comment on index audit_log_by_app is 'The entries of an app, in their order.';

comment on column quotas.scope is 'What is counted: sms, code-tries, downloads, bills or operator-sign-in.';
`,
);
