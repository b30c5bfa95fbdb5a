import type { Ports } from "../ports.js";
import { bounded } from "./bounded.js";
import type { Bounds } from "./door.js";
import { metricsSurface } from "./metrics/surface.js";
import { notificationsSurface } from "./notifications/surface.js";
import { paymentsSurface } from "./payments/surface.js";
import type { Surface } from "./request.js";

/** The three surfaces of a host. */
export interface Surfaces {
  /** Payments and sessions. It answers everything below its mount point, unknown paths included, so give it one of its own. */
  readonly payments: Surface;
  /** What the wallets call: mount it where `ports.notificationsUrl` points. */
  readonly notifications: Surface;
  /** Downloads. Its paths start with `/misc`, so it is usually mounted at the root. */
  readonly metrics: Surface;
}

/** Every surface there is, each with a bound of its own as `bounded` makes it. Throws on bounds that would let nothing in. */
export function boundedSurfaces(ports: Ports, bounds?: Partial<Bounds>): Surfaces {
  return {
    payments: bounded(ports, paymentsSurface(ports), bounds),
    notifications: bounded(ports, notificationsSurface(ports), bounds),
    metrics: bounded(ports, metricsSurface(ports), bounds),
  };
}
