import type { Ports } from "../ports.js";

/** The ports that reading events uses. */
export type EventReadPorts = Pick<Ports, "orders" | "refunds" | "services">;

/** The ports that the delivery of events uses. */
export type DeliveryPorts = EventReadPorts &
  Pick<Ports, "eventDeliveries" | "clock" | "random" | "observer" | "policy">;

/** The ports with which an operator replays and skips events. */
export type ReplayPorts = EventReadPorts & Pick<Ports, "eventDeliveries" | "clock">;
