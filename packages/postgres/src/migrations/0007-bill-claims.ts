import { toMigration } from "../migration.js";

/** Migration 0007-bill-claims. Its SQL never changes, because databases store its checksum. */
export const billClaims = toMigration(
  "0007-bill-claims",
  `-- The processes of a host share the daily comparison of bills: each takes it as a unit of a quota.

comment on column quotas.scope is 'What is counted: sms, code-tries, downloads or bills.';
`,
);
