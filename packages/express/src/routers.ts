import type { Ports } from "@tillkit/core";
import { type Bounds, boundedSurfaces } from "@tillkit/core/http";
import type { RequestHandler } from "express";
import { surfaceRouter } from "./surface-router.js";

/** How many requests a router takes at once; what is left out keeps its default: 384 in work, 128 that wait for up to 1 000 ms. */
export type RouterOptions = Partial<Bounds>;

/**
 * The payments and session endpoints of the payments spec. Mount it where the callers' base URL points, ahead of any body
 * parser.
 */
export function paymentsRouter(ports: Ports, options?: RouterOptions): RequestHandler {
  return surfaceRouter(boundedSurfaces(ports, options).payments);
}

/** The two endpoints of the downloads spec. Their paths start with `/misc`, so it is usually mounted at the root. */
export function metricsRouter(ports: Ports, options?: RouterOptions): RequestHandler {
  return surfaceRouter(boundedSurfaces(ports, options).metrics);
}

/**
 * The addresses the wallets report results to. Mount it where `ports.notificationsUrl` points, ahead of any body parser: the
 * wallets sign the raw bytes.
 */
export function notificationsRouter(ports: Ports, options?: RouterOptions): RequestHandler {
  return surfaceRouter(boundedSurfaces(ports, options).notifications);
}
