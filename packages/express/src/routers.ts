import type { Ports } from "@tillkit/core";
import { type Bounds, boundedSurfaces } from "@tillkit/core/http";
import type { RequestHandler } from "express";
import { surfaceRouter, type SurfaceRouterOptions } from "./surface-router.js";

/**
 * How many requests a router takes at once, and where they come from. What is left out keeps its
 * default: 384 in work, 128 that wait for up to 1 000 ms, and the address `request.ip`.
 */
export type RouterOptions = Partial<Bounds> & SurfaceRouterOptions;

/**
 * The payments and session endpoints of the payments spec. Mount it where the callers' base URL points, ahead of any body
 * parser. It answers everything below its mount point.
 */
export function paymentsRouter(ports: Ports, options?: RouterOptions): RequestHandler {
  return router("payments", ports, options);
}

/** The two endpoints of the downloads spec. Their paths start with `/misc`, so it is usually mounted at the root. */
export function metricsRouter(ports: Ports, options?: RouterOptions): RequestHandler {
  return router("metrics", ports, options);
}

/**
 * The addresses the wallets report results to. Mount it where `ports.notificationsUrl` points, ahead of any body parser: the
 * wallets sign the raw bytes. It answers everything below its mount point, so give it a path of its own.
 */
export function notificationsRouter(ports: Ports, options?: RouterOptions): RequestHandler {
  return router("notifications", ports, options);
}

function router(
  name: "payments" | "metrics" | "notifications",
  ports: Ports,
  { peerOf, ...bounds }: RouterOptions = {},
): RequestHandler {
  return surfaceRouter(boundedSurfaces(ports, bounds)[name], peerOf === undefined ? {} : { peerOf });
}
