import { toMigration } from "../migration.js";

/** Migration 0028-valid-counts. Its SQL never changes, because databases store its checksum. */
export const validCounts = toMigration(
  "0028-valid-counts",
  `-- A count that is negative, or too large for a reader, would make the reports of its day fail.

alter table downloads
  add constraint downloads_new_count check (new_downloads between 0 and 9007199254740991),
  add constraint downloads_update_count check (update_downloads between 0 and 9007199254740991);
`,
);
