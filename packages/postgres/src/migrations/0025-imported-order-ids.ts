import { toMigration } from "../migration.js";

/** Migration 0025-imported-order-ids. Its SQL never changes: databases store its checksum. */
export const importedOrderIds = toMigration(
  "0025-imported-order-ids",
  `-- Two imports at the same time must not store one number of a wallet twice, on a cluster either.

create table imported_order_ids (
  id text collate "C" not null,
  biz_no text collate "C" not null,
  app_id text collate "C" not null,
  primary key (id)
);
comment on table imported_order_ids is 'The ids of imported orders. The orders are distributed by another column, so their table cannot make the id unique. Orders that were imported before this table existed are not in it.';
comment on column imported_order_ids.id is 'The id of the order: its number at the wallet.';
comment on column imported_order_ids.biz_no is 'The bizNo of the order that has the id.';
comment on column imported_order_ids.app_id is 'The app of the order that has the id.';
comment on index imported_order_ids_pkey is 'Each id for one order.';
`,
);
