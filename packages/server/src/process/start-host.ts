import type { Ports } from "@tillkit/core";
import { err, ok, type Result } from "neverthrow";
import { openHost } from "../assembly/open-host.js";
import type { Config } from "../config.js";
import { adminApp } from "../http/admin-app.js";
import { apiApp } from "../http/api-app.js";
import { type HttpServer, listen } from "../http/http-server.js";
import type { Logger } from "../log/logger.js";
import type { ServeOptions } from "../options.js";
import { type Stopping, stopInOrder } from "./shutdown.js";
import { startFailure } from "./start-failure.js";

/** A host that serves. */
export interface Host {
  readonly api: HttpServer;
  readonly admin: HttpServer;
  /** For operator actions such as a refund, for which the APIs of callers have no endpoint. */
  readonly ports: Ports;
  /** Starts the shutdown of the host. */
  stop(): Stopping;
}

/** What differs if the host is a worker of a supervisor. */
export interface WorkerOptions {
  /** The socket for the supervisor, instead of the port for operators. */
  readonly adminSocket: string;
  /** Receives the metrics when the last request has been answered. */
  readonly onLastMetrics: (text: string) => void;
}

/** Starts a host, or returns in one line why it did not start. The line contains no secret. */
export async function startHost(
  config: Config,
  logger: Logger,
  { routes, ...options }: ServeOptions = {},
  worker?: WorkerOptions,
): Promise<Result<Host, string>> {
  const opened = await openHost(config, logger, options);
  if (opened.isErr()) return err(opened.error);
  const host = opened.value;
  const { tillkit, dashboard, sandbox } = host;
  const { ports } = tillkit;
  const closing = [() => host.release()];
  try {
    const own = await routes?.({ ports, logger, ...host.database });
    // The supervisor is one more proxy in front of a worker.
    const trustProxy = config.admin.trustProxy + (worker === undefined ? 0 : 1);
    const adminAddress = worker === undefined ? config.admin : { socketPath: worker.adminSocket };
    const admin = await listen(
      adminApp(tillkit, host, { dashboard, sandbox: sandbox?.control, trustProxy }),
      adminAddress,
    );
    closing.unshift(() => admin.close());
    const api = await listen(apiApp(host.surfaces, config.api, logger, own), config.api);
    tillkit.start();
    const { drainDelay, shutdownDeadline: tasksDeadline } = config;
    const release = async (): Promise<void> => {
      worker?.onLastMetrics(await host.metricsText());
      await host.release();
    };
    return ok({
      api,
      admin,
      ports,
      stop: () => {
        host.endStreams();
        return stopInOrder({ tillkit, api, admin, release, drainDelay, tasksDeadline });
      },
    });
  } catch (thrown) {
    for (const close of closing) await close();
    return err(startFailure(thrown));
  }
}
