import { toMigration } from "../migration.js";

/** Migration 0033-ended-clients. Its SQL never changes, because databases store its checksum. */
export const endedClients = toMigration(
  "0033-ended-clients",
  `-- breaking: a downloads client that is disabled, or whose id was replaced, has an end. An earlier
-- version would still answer it.

alter table downloads_clients add column ends_ms bigint;
comment on column downloads_clients.ends_ms is 'From when on it gets no report, epoch milliseconds; null without an end.';
`,
);
