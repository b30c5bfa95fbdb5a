import { orThrow } from "@tillkit/core";
import type { Simulation } from "./simulation.js";

/** The handlers of every run: one receives all events, and one a part of them. */
export const HANDLERS = [
  { name: "ledger", types: undefined },
  { name: "mailer", types: ["order.paid", "refund.confirmed", "service.changed"] },
] as const;

/** Registers the handlers before the first order. */
export async function registerHandlers({
  simulation,
}: {
  readonly simulation: Pick<Simulation, "stores" | "now">;
}): Promise<void> {
  for (const { name } of HANDLERS)
    await orThrow(simulation.stores.eventDeliveries.registerHandler(name, simulation.now()));
}
