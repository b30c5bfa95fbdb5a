import { toMigration } from "../migration.js";

/** Migration 0029-refund-sends. Its SQL never changes, because databases store its checksum. */
export const refundSends = toMigration(
  "0029-refund-sends",
  `-- breaking
-- A refund gets the status WITHDRAWN, and the end of the last call that may send it. Older versions know neither, and send without a claim.

alter table refunds add column sending_until_ms bigint;
comment on column refunds.sending_until_ms is 'Until when a call that sends it can be under way, epoch milliseconds; null if it was never sent.';
comment on column refunds.status is 'REQUESTED, SENT, WAITING_FOR_FUNDS, ABNORMAL, CONFIRMED, FAILED, WITHDRAWN or SETTLED; the last four are final.';

update refunds set sending_until_ms = modified_ms + 60000 where status in ('SENT', 'WAITING_FOR_FUNDS');
`,
);
