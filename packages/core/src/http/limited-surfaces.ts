import type { Ports } from "../ports.js";
import { withConcurrencyLimit } from "./with-concurrency-limit.js";
import type { ConcurrencyLimits } from "./concurrency-limiter.js";
import { metricsSurface } from "./metrics/surface.js";
import { notificationsSurface } from "./notifications/surface.js";
import { paymentsSurface } from "./payments/surface.js";
import type { Surface } from "./request.js";
import { withNegotiation } from "./with-negotiation.js";

/** The three surfaces of a host. */
export interface Surfaces {
  /**
   * Payments and sessions.
   *
   * The surface answers every path below its mount point, including unknown paths. So mount it
   * below a path of its own.
   */
  readonly payments: Surface;
  /** The endpoints that the wallets call. Mount this surface at `ports.notificationsUrl`. */
  readonly notifications: Surface<string>;
  /** Downloads. The paths start with `/misc`, so this surface is usually mounted at the root. */
  readonly metrics: Surface;
}

/**
 * Creates the three surfaces, each with its own limit of concurrent requests.
 *
 * Tillkit compresses reports and order histories if the client accepts compression. It replies with
 * 304 if the client already has the current content: see {@link withNegotiation}.
 *
 * @param concurrency - Limits for each surface. Missing values have the defaults of
 *   {@link withConcurrencyLimit}.
 * @returns the surfaces. Their limits are independent of each other.
 * @throws RangeError if the limits are out of range.
 * @example
 * ```ts
 * import { limitedSurfaces } from "@tillkit/core/http";
 *
 * const { payments, notifications, metrics } = limitedSurfaces(ports);
 * ```
 */
export function limitedSurfaces(ports: Ports, concurrency?: Partial<ConcurrencyLimits>): Surfaces {
  return {
    payments: withConcurrencyLimit(ports, withNegotiation(ports, paymentsSurface(ports)), concurrency),
    notifications: withConcurrencyLimit(ports, notificationsSurface(ports), concurrency),
    metrics: withConcurrencyLimit(ports, withNegotiation(ports, metricsSurface(ports)), concurrency),
  };
}
