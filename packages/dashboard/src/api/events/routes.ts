import type { EventDelivery } from "@tillkit/core";
import * as z from "zod";
import { queryNumber } from "../query-input.js";
import { operatorRoute } from "../route.js";
import { singleLineText } from "../single-line-text.js";
import { time } from "../unit-schemas.js";
import { requireEveryApp } from "../visible-apps.js";

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

/** The endpoint of the events that handlers have not received. */
export const eventsRoutes = [
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
      // A delivery of a handler may be of any app.
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
