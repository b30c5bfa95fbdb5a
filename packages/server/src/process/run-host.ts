import type { Config } from "../config.js";
import type { Logger } from "../log/logger.js";
import type { ServeOptions } from "../options.js";
import { refuse } from "./refuse.js";
import { startHost } from "./start-host.js";
import { processStopper } from "./stop-process.js";

/**
 * Runs the host in this process until SIGTERM, SIGINT or SIGHUP.
 *
 * SIGHUP also stops the host in order: without a supervisor, nothing can replace the process.
 */
export async function runHost(config: Config, logger: Logger, options: ServeOptions): Promise<void> {
  const started = await startHost(config, logger, options);
  if (started.isErr()) refuse(started.error);
  const { api, admin } = started.value;
  logger.info({ host: api.host, port: api.port, admin: { host: admin.host, port: admin.port } }, "ready");
  const stop = processStopper(started.value, config, logger);
  for (const signal of ["SIGTERM", "SIGINT", "SIGHUP"] as const) process.on(signal, () => stop(signal));
}
