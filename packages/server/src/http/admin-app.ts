import { surfaceRouter } from "@tillkit/express";
import type { Surface } from "@tillkit/core/http";
import type { Tillkit } from "@tillkit/host";
import express, { type Express } from "express";
import type { Telemetry } from "../telemetry/telemetry.js";

/** Where the dashboard is mounted. */
export const DASHBOARD = "/dashboard";

/** The surfaces on the port for operators. */
export interface AdminSurfaces {
  readonly dashboard?: Surface | undefined;
  readonly sandbox?: Surface | undefined;
  /** The number of proxies that name their client in `X-Forwarded-For`. */
  readonly trustProxy: number;
}

/** Creates the app with health checks, metrics, the operators' page and the sandbox controls. */
export function adminApp(
  tillkit: Pick<Tillkit, "health">,
  telemetry: Pick<Telemetry, "metricsText">,
  { dashboard, sandbox, trustProxy }: AdminSurfaces,
): Express {
  const app = express();
  app.disable("x-powered-by");
  app.set("trust proxy", trustProxy);
  // A process that answers is alive. A restart would not help if the database is unavailable.
  app.get("/health/live", (_request, response) => {
    response.json({ alive: true });
  });
  app.get("/health/ready", async (_request, response) => {
    const health = await tillkit.health();
    response.status(health.ready ? 200 : 503).json(health);
  });
  app.get("/metrics", async (_request, response) => {
    response.type("text/plain; version=0.0.4").send(await telemetry.metricsText());
  });
  if (dashboard !== undefined) app.use(DASHBOARD, surfaceRouter(dashboard));
  if (sandbox !== undefined) app.use("/sandbox", surfaceRouter(sandbox));
  return app;
}
