import { ORDER_EVENT_TYPES } from "@tillkit/core";
import type { ListedEvents } from "@tillkit/core/operators";
import type { DeliveriesQuery, EventDelivery } from "@tillkit/core/ports";
import type { ResultAsync } from "neverthrow";
import { z } from "zod";
import type { CliFailure } from "../failure.js";
import type { Server } from "./open-server.js";

const deliveriesSchema = z.object({
  items: z.array(
    z.object({
      handler: z.string(),
      appId: z.string(),
      bizNo: z.string(),
      next: z.object({ seq: z.int(), index: z.int() }),
      lastSeq: z.int(),
      tries: z.int(),
      dueAt: z.int().exactOptional(),
      parkedAt: z.int().exactOptional(),
      failure: z.string().exactOptional(),
    }),
  ),
});

/** Lists the orders with events that a handler has not received yet. */
export function listDeliveries(
  server: Server,
  { handler, state, limit }: Omit<DeliveriesQuery, "after">,
): ResultAsync<readonly EventDelivery[], CliFailure> {
  return server
    .read(["event-deliveries"], { handler, state, limit }, deliveriesSchema)
    .map(({ items }) => items);
}

const eventsSchema = z.object({
  items: z.array(
    z.object({
      id: z.string(),
      type: z.enum(ORDER_EVENT_TYPES),
      at: z.int(),
      appId: z.string(),
      bizNo: z.string(),
      cause: z.string(),
      refundNo: z.string().exactOptional(),
    }),
  ),
  hasMore: z.boolean(),
  until: z.int(),
});

/** Lists the events of an app, or of all apps, from a time on. */
export function readEvents(
  server: Server,
  query: { readonly app: string | undefined; readonly from: number | undefined; readonly limit: number },
): ResultAsync<ListedEvents, CliFailure> {
  return server.read(["events"], query, eventsSchema);
}
