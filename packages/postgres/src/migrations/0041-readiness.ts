import { toMigration } from "../migration.js";

/** Migration 0041-readiness. Its SQL never changes, because databases store its checksum. */
export const readiness = toMigration(
  "0041-readiness",
  `-- The row that readiness checks write, because a read-only database still answers reads.

create table readiness (
  name text collate "C" not null,
  written_ms bigint not null,
  primary key (name)
);
comment on table readiness is 'What readiness checks write. One row.';
comment on column readiness.name is 'Always host.';
comment on column readiness.written_ms is 'When a host last wrote it, epoch milliseconds by the clock of the host.';
comment on index readiness_pkey is 'The row once.';
`,
);
