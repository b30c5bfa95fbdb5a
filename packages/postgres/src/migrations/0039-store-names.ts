import { toMigration } from "../migration.js";

/** Migration 0039-store-names. Its SQL never changes, because databases store its checksum. */
export const storeNames = toMigration(
  "0039-store-names",
  `-- The stores of download counts, with every name under which their counts arrive.

create table store_names (
  name text collate "C" primary key,
  store text collate "C" not null
);
comment on table store_names is 'Names of stores, whose counts are stored under the name of the store.';
comment on column store_names.name is 'A name in a file, or the name of the store itself.';
comment on column store_names.store is 'The store, by its name in reports.';
comment on index store_names_pkey is 'The store of a name.';

insert into store_names select distinct store, store from downloads;
`,
);
