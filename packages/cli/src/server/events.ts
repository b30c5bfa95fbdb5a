import type { DeliveriesQuery, EventDelivery } from "@tillkit/core";
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
