import type { Ports } from "../ports.js";
import { bounded } from "./bounded.js";
import type { Bounds } from "./door.js";
import { metricsSurface } from "./metrics/surface.js";
import { notificationsSurface } from "./notifications/surface.js";
import { paymentsSurface } from "./payments/surface.js";
import type { Surface } from "./request.js";

/** The three surfaces of a host. */
export interface Surfaces {
  /**
   * Payments and sessions.
   *
   * Answers every path below its mount point, including unknown paths, so mount it below its own
   * path.
   */
  readonly payments: Surface;
  /** The endpoints that the wallets call. Mount it where `ports.notificationsUrl` points. */
  readonly notifications: Surface;
  /** Downloads. Its paths start with `/misc`, so it is usually mounted at the root. */
  readonly metrics: Surface;
}

/**
 * Creates the three surfaces, each with its own limit of concurrent requests.
 *
 * @param bounds - Limits for each surface. Missing values are the defaults of {@link bounded}.
 * @throws RangeError if the limits are out of range.
 * @example
 * ```ts
 * const { payments, notifications, metrics } = boundedSurfaces(ports);
 * ```
 */
export function boundedSurfaces(ports: Ports, bounds?: Partial<Bounds>): Surfaces {
  return {
    payments: bounded(ports, paymentsSurface(ports), bounds),
    notifications: bounded(ports, notificationsSurface(ports), bounds),
    metrics: bounded(ports, metricsSurface(ports), bounds),
  };
}
