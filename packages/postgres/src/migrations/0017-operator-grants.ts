import { toMigration } from "../migration.js";

/** Migration 0017-operator-grants. Its SQL never changes, because databases store its checksum. */
export const operatorGrants = toMigration(
  "0017-operator-grants",
  `-- Accounts remember who gave them their rights, and all requests for refunds are listed by time.

alter table operators add column grants text not null default '[]';
comment on column operators.grants is 'Who created, reset, raised or enabled the account, when and from where, as a JSON array.';

create index refund_approvals_requested on refund_approvals (requested_ms, id);
comment on index refund_approvals_requested is 'The approvals of every state, by the time of the request.';
`,
);
