import { toMigration } from "../migration.js";

/** Migration 0004-payer. Its SQL never changes, because databases store its checksum. */
export const payer = toMigration(
  "0004-payer",
  `-- The customer's id at the wallet, for payments that the wallet binds to one customer (JSAPI).

alter table orders add column payer_id text;
comment on column orders.payer_id is 'The customer''s id at the wallet, as the app named it; null where the payment needs none.';
comment on column orders.pay_source is 'Where the payment is opened: APP, H5, NATIVE, JSAPI or PC.';
`,
);
