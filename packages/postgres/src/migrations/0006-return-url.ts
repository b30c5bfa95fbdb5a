import { toMigration } from "../migration.js";

/** Migration 0006-return-url. Its SQL never changes, because databases store its checksum. */
export const returnUrl = toMigration(
  "0006-return-url",
  `-- breaking
-- The URL to which the wallet sends the customer's browser is stored with the order. Older versions do not store it.

alter table orders add column return_url text not null default '';
update orders set return_url = regexp_replace(notify_url, '^(.*)/notify/' || pay_channel || '/.*$', '\\1/return/' || pay_channel);
alter table orders alter column return_url drop default;
comment on column orders.return_url is 'Where WALLET_B sends the customer''s browser after the payment; frozen at the wallet with the order.';
`,
);
