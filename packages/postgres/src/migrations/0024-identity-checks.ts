import { toMigration } from "../migration.js";

/** Migration 0024-identity-checks. Its SQL never changes: databases store its checksum. */
export const identityChecks = toMigration(
  "0024-identity-checks",
  `-- Further values that a customer_identity must not be. Hosts of older versions accept them.

alter table apps
  add column check_identity_card boolean not null default true,
  add column check_wallet_account boolean not null default true,
  add column check_biz_no boolean not null default true;
comment on column apps.check_identity_card is 'Whether an order whose customer_identity looks like the number of an identity card is refused.';
comment on column apps.check_wallet_account is 'Whether an order whose customer_identity looks like an account at a wallet is refused.';
comment on column apps.check_biz_no is 'Whether an order whose customer_identity equals its biz_no is refused.';
`,
);
