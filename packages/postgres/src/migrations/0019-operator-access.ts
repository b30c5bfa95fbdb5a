import { toMigration } from "../migration.js";

/** Migration 0019-operator-access. Its SQL never changes, because databases store its checksum. */
export const operatorAccess = toMigration(
  "0019-operator-access",
  `-- Names of operators are unique without case, and wrong attempts to sign in are counted over a sliding time.

create unique index operators_by_name_key on operators (lower(name));
comment on index operators_by_name_key is 'Finds an account by its name in any case, so that no two names differ only in case.';

alter table operators add column disabled_ms bigint;
comment on column operators.disabled_ms is 'When the account was disabled last, epoch milliseconds. Null: never.';

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
`,
);
