import type { HostOptions } from "@tillkit/server";

/**
 * Receive the events of orders at least once. The events of one order arrive in their order.
 *
 * Replace the log line by your own work, such as giving the customer what was paid for. The same
 * event can arrive again: use its id as the idempotency key of that work.
 */
export const eventHandlers: NonNullable<HostOptions["eventHandlers"]> = [
  {
    name: "grants",
    types: ["order.paid", "order.refunded"],
    handle: async ({ id, type, orderId }) => {
      console.log(JSON.stringify({ msg: "event received", id, type, orderId }));
    },
  },
];
