import type { Ports } from "../ports.js";
import type { EventDeliveryStore } from "./event-delivery-store.js";

/** The ports that reading events uses. */
export type EventReadPorts = Pick<Ports, "orders" | "refunds" | "services">;

/** The ports that the delivery of events uses. */
export type DeliveryPorts = EventReadPorts &
  Pick<Ports, "clock" | "random" | "observer" | "policy"> & {
    readonly eventDeliveries: EventDeliveryStore;
  };

/** The ports with which an operator replays and skips events. */
export type ReplayPorts = EventReadPorts & Pick<DeliveryPorts, "eventDeliveries" | "clock">;
