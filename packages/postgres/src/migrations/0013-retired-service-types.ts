import { toMigration } from "../migration.js";

/** Migration 0013-retired-service-types. Its SQL never changes: databases store its checksum. */
export const retiredServiceTypes = toMigration(
  "0013-retired-service-types",
  `-- Service types that are not sold any more. Hosts of older versions still sell them.

alter table service_types add column retired_ms bigint;
comment on column service_types.retired_ms is 'Since when no new order may name it, epoch milliseconds; null while it is sold.';
`,
);
