import { toMigration } from "../migration.js";

/**
 * Migration 0030-opened-exceptions. Its SQL never changes, because databases store its checksum.
 */
export const openedExceptions = toMigration(
  "0030-opened-exceptions",
  `-- breaking
-- A difference that opens again is recorded again. Older versions store exceptions without the time of the opening.

alter table bill_exceptions add column opened_ms bigint;
update bill_exceptions set opened_ms = created_ms;
alter table bill_exceptions alter column opened_ms set not null;
comment on column bill_exceptions.opened_ms is 'When it last became OPEN, epoch milliseconds; one that was never OPEN has the time of its creation.';
`,
);
