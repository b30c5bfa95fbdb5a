import { toMigration } from "../migration.js";

/** Migration 0018-operator-changes. Its SQL never changes, because databases store its checksum. */
export const operatorChanges = toMigration(
  "0018-operator-changes",
  `-- Each change of an operator has an id, and takes effect at most once.

alter table audit_log add column change_id text collate "C";
alter table audit_log add column change_digest text;
create unique index audit_log_outcome on audit_log (operator, change_id) where change_id is not null and outcome <> 'unknown';
create index audit_log_unknown on audit_log (operator, change_id) where outcome = 'unknown';
comment on column audit_log.outcome is 'How it ended: done, refused, failed or unknown.';
comment on column audit_log.change_id is 'The id of the change that the operator asked for. Null if the entry is no change.';
comment on column audit_log.change_digest is 'SHA-256 of what the operator asked for. Null if the entry is no change.';
comment on index audit_log_outcome is 'The outcome of each change. Keeps a change from taking effect twice.';
comment on index audit_log_unknown is 'The changes whose outcome is unknown.';

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
`,
);
