import type { Ports } from "@tillkit/core";
import type { Surface } from "@tillkit/core/http";
import { apiSurfaces } from "../assembly/assemble.js";
import type { Config } from "../config.js";
import { apiApp } from "../http/api-app.js";
import { type HttpServer, listen } from "../http/http-server.js";
import type { Logger } from "../log/logger.js";
import type { Telemetry } from "../telemetry/telemetry.js";

/** Serves the API of `ports` on a free port of this machine. */
export function listenApi(
  ports: Ports,
  limits: Pick<Config["api"], "trustProxy" | "concurrency">,
  logger: Logger,
  telemetry: Pick<Telemetry, "meter" | "tracer">,
  receipts?: Surface,
): Promise<HttpServer> {
  const surfaces = apiSurfaces(ports, limits, logger, telemetry, receipts);
  return listen(apiApp(surfaces, limits, logger), { host: "127.0.0.1", port: 0 });
}
