import type { Mounts } from "@tillkit/core/http";
import { surfaceRouter } from "@tillkit/express";
import express, { type ErrorRequestHandler, type Express } from "express";
import type { Config } from "../config.js";
import type { Logger } from "../log/logger.js";
import type { Routes } from "../options.js";

/**
 * Creates the app on the port that callers and wallets reach.
 *
 * Tillkit's surfaces come before the body parsers of `routes`: the wallets sign the raw bytes.
 */
export function apiApp(
  surfaces: Mounts,
  { trustProxy }: Pick<Config["api"], "trustProxy">,
  logger: Logger,
  routes?: Routes,
): Express {
  const app = express();
  app.disable("x-powered-by");
  app.set("trust proxy", trustProxy);
  for (const [path, surface] of Object.entries(surfaces)) app.use(path, surfaceRouter(surface));
  if (routes !== undefined) app.use(routes);
  app.use((_request, response) => {
    response.status(404).type("text/plain").send("There is nothing here.\n");
  });
  app.use(lastResort(logger));
  return app;
}

/**
 * Answers errors without their stack. Express recognizes an error handler by its four parameters.
 */
function lastResort(logger: Logger): ErrorRequestHandler {
  return (thrown: unknown, _request, response, _next) => {
    logger.error({ err: thrown }, "a request broke");
    if (response.headersSent) response.destroy();
    else response.status(500).type("text/plain").send("Something went wrong here.\n");
  };
}
