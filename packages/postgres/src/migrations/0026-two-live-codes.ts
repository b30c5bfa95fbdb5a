import { toMigration } from "../migration.js";

/** Migration 0026-two-live-codes. Its SQL never changes, because databases store its checksum. */
export const twoLiveCodes = toMigration(
  "0026-two-live-codes",
  `-- breaking: a code that a phone has received stays valid until its successor may have arrived.
-- Codes live for minutes, so customers who wait for one ask again.

delete from auth_codes;
alter table auth_codes rename column expires_ms to ends_ms;
alter table auth_codes
  drop column code_hash,
  add column code_hashes text[] collate "C" not null,
  add column codes_expire_ms bigint[] not null,
  add column tries_before integer[] not null,
  add column day_tries integer not null,
  add column day_ends_ms bigint not null;
comment on table auth_codes is 'The SMS codes of each phone number, and its wrong attempts.';
comment on column auth_codes.code_hashes is 'Keyed hashes of the codes, newest first. The two newest can be live.';
comment on column auth_codes.codes_expire_ms is 'When each code expires, epoch milliseconds.';
comment on column auth_codes.tries_before is 'The value of tries when each code was added.';
comment on column auth_codes.tries is 'Wrong attempts while a code was live.';
comment on column auth_codes.day_tries is 'Wrong attempts of the day that ends at day_ends_ms.';
comment on column auth_codes.day_ends_ms is 'When the count of the day ends, epoch milliseconds; 0 before the first wrong attempt.';
comment on column auth_codes.ends_ms is 'When the codes have expired and the count of the day has ended, epoch milliseconds.';
comment on index auth_codes_pkey is 'The number an attempt is about.';
comment on index auth_codes_by_end is 'Numbers without a live code or count, for housekeeping.';

comment on column quotas.day is 'The business day, YYYY-MM-DD, or a period of it: YYYY-MM-DD/ and a name.';
comment on column quotas.scope is 'What is counted: sms, sms-app, sms-country, sms-host, wrong-codes-app, downloads, bills or operator-sign-in.';
`,
);
