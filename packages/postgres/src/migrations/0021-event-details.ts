import { toMigration } from "../migration.js";

/** Migration 0021-event-details. Its SQL never changes, because databases store its checksum. */
export const eventDetails = toMigration(
  "0021-event-details",
  `-- breaking
-- A timeline stores what happened as data instead of English sentences. The hash of an event covers its details, so older versions would
-- report a changed timeline.

alter table timeline add column details text;
comment on column timeline.details is 'The facts of the event, JSON text; null if its type has none, and for events of earlier versions. Amounts are cents.';
comment on column timeline.reason is 'What the person who acted wrote; empty if no person acted. Events of earlier versions have an English sentence here.';
`,
);
