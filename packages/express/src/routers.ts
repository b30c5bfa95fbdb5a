import type { Ports } from "@tillkit/core";
import { metricsSurface, notificationsSurface, paymentsSurface } from "@tillkit/core/http";
import type { Router } from "express";
import { surfaceRouter } from "./surface-router.js";

/**
 * The payments and session endpoints of the payments spec. Mount it where the callers' base URL points, ahead of any body
 * parser.
 */
export function paymentsRouter(ports: Ports): Router {
  return surfaceRouter(paymentsSurface(ports));
}

/** The two endpoints of the downloads spec. Their paths start with `/misc`, so it is usually mounted at the root. */
export function metricsRouter(ports: Ports): Router {
  return surfaceRouter(metricsSurface(ports));
}

/**
 * The addresses the wallets report results to. Mount it where `ports.notificationsUrl` points, ahead of any body parser: the
 * wallets sign the raw bytes.
 */
export function notificationsRouter(ports: Ports): Router {
  return surfaceRouter(notificationsSurface(ports));
}
