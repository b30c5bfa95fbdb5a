import { toMigration } from "../migration.js";

/** Migration 0022-alerts. Its SQL never changes, because databases store its checksum. */
export const alerts = toMigration(
  "0022-alerts",
  `-- What each chat has been sent about, so that an alert survives a restart and one process sends it.

create table alert_channels (
  name text collate "C" not null,
  state text not null,
  due_ms bigint not null,
  claim_id text collate "C",
  claimed_until_ms bigint,
  primary key (name)
);
comment on table alert_channels is 'The channels that receive alerts. The row of a channel that is no longer configured stays.';
comment on column alert_channels.name is 'The name of the channel, as the host configures it.';
comment on column alert_channels.state is 'JSON: which alerts the channel was sent, and when each is due again; empty before the first.';
comment on column alert_channels.due_ms is 'When a process looks at the channel next, epoch milliseconds.';
comment on column alert_channels.claim_id is 'The claim of the process that is sending; null if none is.';
comment on column alert_channels.claimed_until_ms is 'When another process may claim the channel, epoch milliseconds; null without a claim.';
comment on index alert_channels_pkey is 'Each channel once.';
`,
);
