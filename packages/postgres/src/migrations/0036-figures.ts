import { toMigration } from "../migration.js";

/** Migration 0036-figures. Its SQL never changes, because databases store its checksum. */
export const figures = toMigration(
  "0036-figures",
  `-- What waits for a person, read by one process at a time and passed on by all.

create table figures (
  name text collate "C" not null,
  reading text not null,
  read_ms bigint,
  claim_id text collate "C",
  claimed_until_ms bigint,
  primary key (name)
);
comment on table figures is 'The newest reading of the record, for metrics. One row.';
comment on column figures.name is 'Always record.';
comment on column figures.reading is 'JSON: what waits, by kind; empty before the first reading.';
comment on column figures.read_ms is 'When it was read, epoch milliseconds; null before the first reading.';
comment on column figures.claim_id is 'The claim of the process that is reading; null if none is.';
comment on column figures.claimed_until_ms is 'When another process may claim the reading, epoch milliseconds; null without a claim.';
comment on index figures_pkey is 'The reading once.';
`,
);
