import { toMigration } from "../migration.js";

/** Migration 0009-event-deliveries. Its SQL never changes, because databases store its checksum. */
export const eventDeliveries = toMigration(
  "0009-event-deliveries",
  `-- The handlers of a host receive the events on the timelines. Each order has one row per handler: the next event, and when it is delivered.

create table event_handlers (
  name text collate "C" primary key,
  registered_ms bigint not null
);
comment on table event_handlers is 'The handlers that receive the events of orders. Empty if the host has none.';
comment on column event_handlers.name is 'The name of the handler.';
comment on column event_handlers.registered_ms is 'When the handler was registered, epoch milliseconds.';
comment on index event_handlers_pkey is 'Finds a handler by its name.';

create table event_deliveries (
  biz_no text collate "C" not null,
  app_id text collate "C" not null,
  handler text collate "C" not null,
  next_seq integer not null,
  next_index integer not null,
  last_seq integer not null,
  last_ms bigint not null,
  tries integer not null,
  due_ms bigint,
  claim_id text,
  parked_ms bigint,
  primary key (biz_no, app_id, handler)
);
create index event_deliveries_due on event_deliveries (handler, due_ms) where due_ms is not null;
create index event_deliveries_parked on event_deliveries (handler, parked_ms) where parked_ms is not null;
create index event_deliveries_delivered on event_deliveries (last_ms) where due_ms is null and parked_ms is null;
comment on table event_deliveries is 'Which events of an order a handler has received, and when it receives the next one.';
comment on column event_deliveries.biz_no is 'The number of the order.';
comment on column event_deliveries.app_id is 'The app of the order.';
comment on column event_deliveries.handler is 'The name of the handler.';
comment on column event_deliveries.next_seq is 'The number of the timeline event that caused the first event that was not delivered yet.';
comment on column event_deliveries.next_index is 'The number of this event among those with the same cause, from 0.';
comment on column event_deliveries.last_seq is 'The number of the last timeline event of the order that causes an event.';
comment on column event_deliveries.last_ms is 'The time of this timeline event, epoch milliseconds.';
comment on column event_deliveries.tries is 'The number of failed attempts to deliver the next event.';
comment on column event_deliveries.due_ms is 'When the next event is delivered, or when the claim ends, epoch milliseconds. Null if all events were delivered, or if the delivery is parked.';
comment on column event_deliveries.claim_id is 'The worker that delivers the events until due_ms. Null if no worker has claimed them.';
comment on column event_deliveries.parked_ms is 'When the attempts were given up, epoch milliseconds.';
comment on index event_deliveries_pkey is 'The deliveries of an order.';
comment on index event_deliveries_due is 'The deliveries with waiting events, for each handler the longest due first.';
comment on index event_deliveries_parked is 'The parked deliveries of each handler.';
comment on index event_deliveries_delivered is 'The deliveries without waiting events, for housekeeping.';

alter table timeline add column refund_no text;
comment on column timeline.refund_no is 'The refund of the event. Null for other events, and for events of earlier versions.';
`,
);
