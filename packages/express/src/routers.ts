import type { Ports } from "@tillkit/core";
import { type ConcurrencyLimits, limitedSurfaces } from "@tillkit/core/http";
import type { RequestHandler } from "express";
import { surfaceRouter, type SurfaceRouterOptions } from "./surface-router.js";

/**
 * How many requests a router accepts concurrently, and how it finds a request's sender address.
 *
 * Defaults to 384 concurrent requests, 128 queued requests that wait for at most 1,000 ms, and
 * `request.ip`.
 */
export type RouterOptions = Partial<ConcurrencyLimits> & SurfaceRouterOptions;

/**
 * Mounts the payments and session endpoints.
 *
 * Mount it at the base URL that callers use, before any body parser. It answers every request below
 * its mount point.
 *
 * @returns the handler, for `app.use`.
 * @example
 * ```ts
 * import { paymentsRouter } from "@tillkit/express";
 *
 * app.use("/pay", paymentsRouter(ports));
 * ```
 */
export function paymentsRouter(ports: Ports, options?: RouterOptions): RequestHandler {
  return router("payments", ports, options);
}

/**
 * Mounts the two download metrics endpoints.
 *
 * Their paths start with `/misc`, so a host usually mounts this router at the root.
 *
 * @returns the handler, for `app.use`.
 * @example
 * ```ts
 * import { metricsRouter } from "@tillkit/express";
 *
 * app.use(metricsRouter(ports));
 * ```
 */
export function metricsRouter(ports: Ports, options?: RouterOptions): RequestHandler {
  return router("metrics", ports, options);
}

/**
 * Mounts the addresses that the wallets send notifications to.
 *
 * Mount it at `ports.notificationsUrl`, before any body parser: the wallets sign the raw bytes. It
 * answers every request below its mount point, so give it a separate path.
 *
 * @returns the handler, for `app.use`.
 * @example
 * ```ts
 * import { notificationsRouter } from "@tillkit/express";
 *
 * app.use("/wallets", notificationsRouter(ports));
 * ```
 */
export function notificationsRouter(ports: Ports, options?: RouterOptions): RequestHandler {
  return router("notifications", ports, options);
}

function router(
  name: "payments" | "metrics" | "notifications",
  ports: Ports,
  { peerOf, ...bounds }: RouterOptions = {},
): RequestHandler {
  return surfaceRouter(limitedSurfaces(ports, bounds)[name], peerOf === undefined ? {} : { peerOf });
}
