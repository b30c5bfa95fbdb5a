import { toMigration } from "../migration.js";

/** Migration 0031-requester-keys. Its SQL never changes, because databases store its checksum. */
export const requesterKeys = toMigration(
  "0031-requester-keys",
  `-- breaking
-- An operator finds all of the own requests, however the name was spelled. Older versions store requests without the key.

alter table refund_approvals add column requester_key text;
update refund_approvals set requester_key = lower(upper(btrim(normalize(requested_by, NFKC))));
alter table refund_approvals alter column requester_key set not null;
comment on column refund_approvals.requester_key is 'The key of the name in requested_by: equal for all spellings of one name.';
`,
);
