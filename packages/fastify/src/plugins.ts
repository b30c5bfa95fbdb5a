import type { Ports } from "@tillkit/core";
import { type ConcurrencyLimits, limitedSurfaces } from "@tillkit/core/http";
import type { FastifyPluginAsync } from "fastify";
import { surfacePlugin, type SurfacePluginOptions } from "./surface-plugin.js";

/**
 * How many requests a plugin accepts concurrently, and how it finds a request's sender address.
 *
 * Defaults to 384 concurrent requests, 128 queued requests that wait for at most 1,000 ms, and
 * `request.ip`.
 */
export type PluginOptions = Partial<ConcurrencyLimits> & Pick<SurfacePluginOptions, "peerOf">;

/**
 * Mounts the payments and session endpoints.
 *
 * Register it with the prefix that callers use. It answers every request below the prefix.
 *
 * @returns the plugin, for `app.register`.
 * @example
 * ```ts
 * import { paymentsPlugin } from "@tillkit/fastify";
 * import { memoryPorts } from "@tillkit/memory";
 * import fastify from "fastify";
 *
 * const app = fastify();
 * await app.register(paymentsPlugin(memoryPorts()), { prefix: "/pay" });
 * ```
 */
export function paymentsPlugin(ports: Ports, options?: PluginOptions): FastifyPluginAsync {
  return plugin("payments", ports, options);
}

/**
 * Mounts the two download metrics endpoints.
 *
 * Their paths start with `/misc`, so a host usually registers this plugin without a prefix.
 *
 * @returns the plugin, for `app.register`.
 * @example
 * ```ts
 * import { metricsPlugin } from "@tillkit/fastify";
 * import { memoryPorts } from "@tillkit/memory";
 * import fastify from "fastify";
 *
 * const app = fastify();
 * await app.register(metricsPlugin(memoryPorts()));
 * ```
 */
export function metricsPlugin(ports: Ports, options?: PluginOptions): FastifyPluginAsync {
  return plugin("metrics", ports, options, { paths: ["/misc", "/misc/*"] });
}

/**
 * Mounts the addresses that the wallets send notifications to.
 *
 * Register it with the path of `ports.notificationsUrl` as its prefix. It answers every request
 * below the prefix, so give it a path of its own.
 *
 * @returns the plugin, for `app.register`.
 * @example
 * ```ts
 * import { notificationsPlugin } from "@tillkit/fastify";
 * import { memoryPorts } from "@tillkit/memory";
 * import fastify from "fastify";
 *
 * const app = fastify();
 * await app.register(notificationsPlugin(memoryPorts()), { prefix: "/wallets" });
 * ```
 */
export function notificationsPlugin(ports: Ports, options?: PluginOptions): FastifyPluginAsync {
  return plugin("notifications", ports, options);
}

function plugin(
  name: "payments" | "metrics" | "notifications",
  ports: Ports,
  { peerOf, ...limits }: PluginOptions = {},
  paths: Pick<SurfacePluginOptions, "paths"> = {},
): FastifyPluginAsync {
  const surface = limitedSurfaces(ports, limits)[name];
  return surfacePlugin(surface, peerOf === undefined ? paths : { ...paths, peerOf });
}
