import { toMigration } from "../migration.js";

/** Migration 0032-customer-numbers. Its SQL never changes, because databases store its checksum. */
export const customerNumbers = toMigration(
  "0032-customer-numbers",
  `-- Sessions have a name and a coarse time of their last use, and phone numbers the time of their last login.

alter table sessions add column label text;
alter table sessions add column used_ms bigint;
comment on column sessions.label is 'What the host calls the device; null if it set no name at the login.';
comment on column sessions.used_ms is 'When the session was used, stored at most once a day, epoch milliseconds; null on its first day.';

alter table customers add column used_ms bigint;
comment on column customers.used_ms is 'When the phone number last logged in, epoch milliseconds; null if no login was recorded yet.';
`,
);
