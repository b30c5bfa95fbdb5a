import { ORDER_EVENT_TYPES } from "@tillkit/core";
import { listEvents } from "@tillkit/core/operators";
import type { EventDelivery } from "@tillkit/core/ports";
import * as z from "zod";
import { queryNumber } from "../query-input.js";
import { operatorRoute } from "../route.js";
import { singleLineText } from "../single-line-text.js";
import { time } from "../unit-schemas.js";
import { requireEveryApp, visibleApps } from "../visible-apps.js";

const deliverySchema = z
  .strictObject({
    handler: z.string(),
    appId: z.string(),
    bizNo: z.string(),
    next: z
      .strictObject({ seq: z.int(), index: z.int() })
      .describe("The first event that was not delivered: its entry on the timeline, and its place there."),
    lastSeq: z.int().describe("The last entry of the order's timeline that causes an event."),
    tries: z.int().describe("The failed attempts to deliver `next`."),
    dueAt: time().optional(),
    parkedAt: time().optional().describe("Present if an operator must replay or skip the event."),
    failure: z.string().optional().describe("Why the last attempt failed."),
  })
  .meta({ id: "EventDelivery" });

const eventSchema = z
  .strictObject({
    id: z.string().describe("The id with which handlers receive the event."),
    type: z.enum(ORDER_EVENT_TYPES),
    at: time(),
    appId: z.string(),
    bizNo: z.string(),
    cause: z.string().describe("The type of the entry on the order's timeline."),
    refundNo: z.string().optional(),
  })
  .meta({ id: "Event" });

/** The endpoints of events, and of events that handlers have not received. */
export const eventsRoutes = [
  operatorRoute({
    method: "GET",
    path: "/api/events",
    allowed: "read",
    input: () =>
      z.object({
        app: singleLineText(64).optional(),
        from: queryNumber()
          .optional()
          .describe("The first time, in milliseconds since the Unix epoch. Absent: no event, only `until`."),
        limit: queryNumber().pipe(z.int().min(1).max(1_000)).default(100),
      }),
    response: () =>
      z.strictObject({
        items: z.array(eventSchema).readonly(),
        hasMore: z.boolean().describe("Whether there may be more events after `until`."),
        until: time().describe(
          "The `from` of the next request. If `hasMore` is false, begin 10 seconds earlier.",
        ),
      }),
    run: async (context, { app, from, limit }) =>
      (await listEvents(context.ports, { apps: visibleApps(context, app), from, limit })).map((value) => ({
        value,
      })),
  }),
  operatorRoute({
    method: "GET",
    path: "/api/event-deliveries",
    allowed: "read",
    input: () =>
      z.object({
        handler: singleLineText(64).optional(),
        state: z.enum(["waiting", "parked"]).default("waiting").describe("`waiting` includes parked ones."),
        limit: queryNumber().pipe(z.int().min(1).max(1_000)).default(100),
      }),
    response: () => z.strictObject({ items: z.array(deliverySchema).readonly() }),
    run: async (context, query) => {
      // The deliveries of a handler may belong to any app.
      const permitted = requireEveryApp(context);
      if (permitted.isErr()) return permitted;
      return (await context.ports.eventDeliveries.list(query)).map((deliveries) => ({
        value: { items: deliveries.map(rowOf) },
      }));
    },
  }),
];

function rowOf({
  handler,
  appId,
  bizNo,
  next,
  lastSeq,
  tries,
  dueAt,
  parkedAt,
  failure,
}: EventDelivery): z.output<typeof deliverySchema> {
  return {
    handler,
    appId,
    bizNo,
    next: { seq: next.seq, index: next.index },
    lastSeq,
    tries,
    ...(dueAt === undefined ? {} : { dueAt }),
    ...(parkedAt === undefined ? {} : { parkedAt }),
    ...(failure === undefined ? {} : { failure }),
  };
}
