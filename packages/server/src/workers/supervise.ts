import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { valueOrTimeout } from "@tillkit/runtime";
import type { Config } from "../config.js";
import { listen } from "../http/http-server.js";
import type { Logger } from "../log/logger.js";
import { refuse } from "../process/refuse.js";
import { startFailure } from "../process/start-failure.js";
import { supervisorApp } from "./supervisor-app.js";
import { workerGroup } from "./worker-group.js";

/** How much longer than a worker's own deadlines the supervisor waits, in milliseconds. */
const MARGIN_MS = 1_000;

/**
 * Supervises the workers of a host until SIGTERM or SIGINT. SIGHUP replaces all workers.
 *
 * Only the supervisor listens, and passes each new connection to a worker. It exits with 1 if a
 * worker does not start at the start of the host, or if workers crash repeatedly and none serves.
 */
export async function superviseWorkers(config: Config, logger: Logger): Promise<void> {
  const { workers, workerDeadline: silenceDeadline, drainDelay, shutdownDeadline, probeDeadline } = config;
  const folder = await mkdtemp(join(tmpdir(), "tillkit-workers-"));
  const stopping = new AbortController();
  let notReady: string | undefined = "starting";
  const isStopping = (): boolean => stopping.signal.aborted;
  const onGivenUp = (): void => {
    if (isStopping()) return;
    logger.fatal("workers end again and again, and none serves");
    void stop("SIGTERM", 1);
  };
  const stopDeadline = drainDelay + shutdownDeadline + MARGIN_MS;
  const deadlines = { silenceDeadline, stopDeadline };
  const group = workerGroup({ count: workers, folder, logger, ...deadlines, onGivenUp });
  const app = supervisorApp({
    group,
    workers,
    notReady: () => notReady,
    workerDeadline: probeDeadline + MARGIN_MS,
  });
  const admin = await listen(app, config.admin).catch(async (thrown: unknown) => {
    await rm(folder, { recursive: true, force: true });
    return refuse(startFailure(thrown));
  });

  for (const signal of ["SIGTERM", "SIGINT"] as const) {
    process.on(signal, () => {
      if (isStopping()) void group.stop(signal);
      else void stop(signal, 0);
    });
  }
  process.on("SIGHUP", () => {
    if (!isStopping()) void replaceAll();
  });

  const port = await group.start();
  if (isStopping()) return;
  if (port === undefined) {
    logger.fatal("the host did not start, because a worker did not start");
    await stop("SIGTERM", 1);
    return;
  }
  notReady = undefined;
  const { host } = config.api;
  logger.info({ host, port, admin: { host: admin.host, port: admin.port }, workers }, "ready");

  async function replaceAll(): Promise<void> {
    logger.info("replacing the workers");
    await group.replaceAll();
    logger.info("the replacement of the workers ended");
  }

  async function stop(signal: string, code: 0 | 1): Promise<void> {
    stopping.abort();
    notReady = "stopping";
    logger.info({ signal }, "stopping all workers");
    const ended = await valueOrTimeout(group.stop(signal), stopDeadline);
    if (ended === "timeout") group.kill();
    await valueOrTimeout(admin.close(), MARGIN_MS);
    await rm(folder, { recursive: true, force: true });
    const exitCode = ended === true ? code : 1;
    logger.info({ exitCode }, "all workers stopped");
    process.exit(exitCode);
  }
}
