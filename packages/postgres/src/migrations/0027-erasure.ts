import { toMigration } from "../migration.js";

/** Migration 0027-erasure. Its SQL never changes, because databases store its checksum. */
export const erasure = toMigration(
  "0027-erasure",
  `-- breaking
-- What a person wrote can be erased, although the hash of its event stays valid: the hash covers a salted digest of the text. Older versions
-- would report a changed timeline.

alter table timeline add column reason_salt bytea;
alter table timeline add column reason_digest bytea;
comment on column timeline.reason is 'What the person who acted wrote; empty if no person acted, and after its erasure. Events of earlier versions have an English sentence here.';
comment on column timeline.reason_salt is 'A random value that is hashed with the reason; null without a reason, after its erasure, and for events of earlier versions.';
comment on column timeline.reason_digest is 'The SHA-256 of the salt, a line feed and the reason, which the hash covers; null if there never was a reason, and for events of earlier versions.';

alter table session_owners add column erased_ms bigint;
comment on column session_owners.erased_ms is 'When the customer was erased, epoch milliseconds; null otherwise. No session opens for an erased customer.';

create index customers_of_id on customers (customer_id, app_id);
comment on index customers_of_id is 'The hashes of the phone numbers of one customer.';

create index orders_named on orders (created_ms) where customer_name is not null;
comment on index orders_named is 'Orders with a name of the customer, for the end of its retention.';
`,
);
