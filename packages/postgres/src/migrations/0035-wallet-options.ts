import { toMigration } from "../migration.js";

/** Migration 0035-wallet-options. Its SQL never changes, because databases store its checksum. */
export const walletOptions = toMigration(
  "0035-wallet-options",
  `-- Options of the requests to the wallets, such as limit_pay or passback_params.

alter table orders add column wallet_options text;
comment on column orders.wallet_options is 'JSON text: what the creation gave, and what the wallet gets; null if there are no options.';

alter table pay_tools add column wallet_options text;
comment on column pay_tools.wallet_options is 'JSON text: the options of new orders that give none themselves; null if there are none.';
`,
);
