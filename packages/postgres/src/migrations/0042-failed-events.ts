import { toMigration } from "../migration.js";

/** Migration 0042-failed-events. Its SQL never changes, because databases store its checksum. */
export const failedEvents = toMigration(
  "0042-failed-events",
  `-- A delivery keeps why its last attempt failed, so that a person sees it beside the parked event.

alter table event_deliveries add column failure text collate "C";
comment on column event_deliveries.failure is 'Why the last attempt failed, without numbers, addresses and keys; null if none failed.';
`,
);
