import { surfaceRouter } from "@tillkit/express";
import type { Surface } from "@tillkit/core/http";
import express, { type Express } from "express";
import type { Health } from "./health.js";
import type { Metrics } from "./metrics.js";

/** What the machinery around a host asks it: is it alive, may it have requests, what has it counted. */
export function adminApp(
  health: Health,
  { register }: Pick<Metrics, "register">,
  sandbox?: Surface,
): Express {
  const app = express();
  app.disable("x-powered-by");
  // Alive is whoever answers. A database that is away is no reason to be restarted.
  app.get("/health/live", (_request, response) => {
    response.json({ alive: true });
  });
  app.get("/health/ready", async (_request, response) => {
    const readiness = await health.ready();
    response.status(readiness.ready ? 200 : 503).json(readiness);
  });
  app.get("/metrics", async (_request, response) => {
    response.type(register.contentType).send(await register.metrics());
  });
  if (sandbox !== undefined) app.use("/sandbox", surfaceRouter(sandbox));
  return app;
}
