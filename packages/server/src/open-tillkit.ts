import type { RequestListener } from "node:http";
import type { Ports } from "@tillkit/core";
import type { Mounts } from "@tillkit/core/http";
import type { Tillkit } from "@tillkit/host";
import type { Sandbox } from "@tillkit/sandbox";
import { pino } from "pino";
import { readConfig, WRONG_ENVIRONMENT } from "./config.js";
import { type Logger, openLogger } from "./log/logger.js";
import type { HostDatabase, HostOptions } from "./options.js";
import { problemList } from "./process/refuse.js";

/** Options of `openTillkit`. */
export interface OpenTillkitOptions extends HostOptions {
  /** The environment variables. Defaults to the variables of the process. */
  readonly environment?: Readonly<Record<string, string | undefined>>;
}

/** A host for a server of your own. */
export interface OpenedTillkit extends HostDatabase {
  /** Call its `start` to run the background tasks. */
  readonly tillkit: Tillkit;
  /** For the functions of `@tillkit/core`: the same as `tillkit.ports`. */
  readonly ports: Ports;
  readonly logger: Logger;
  /** Simulates the wallets with `WALLETS=sandbox`. `undefined` with the real ones. */
  readonly sandbox: Sandbox | undefined;
  /**
   * What callers and wallets reach, by mount point, with limits, logs and metrics.
   *
   * Each binding mounts them: `nodeListener(surfaces)` of `@tillkit/node`, or
   * `fetchHandler(surfaces)` of `@tillkit/fetch`.
   */
  readonly surfaces: Mounts;
  /** Health checks, metrics and the operators' page, for a port that the internet cannot reach. */
  readonly admin: RequestListener;
  /**
   * Ends the host in order: it becomes not ready, the tasks end after their steps, and the database
   * is closed after the last request.
   *
   * @param closeServer - closes your server, and resolves after its last reply.
   * @returns the names of the tasks whose steps are still running. If there are any, the database
   *   stays open. End the process then: another process continues the work of the tasks.
   */
  readonly stop: (
    closeServer?: () => Promise<unknown>,
  ) => Promise<{ readonly unfinished: readonly string[] }>;
}

/**
 * Opens a host with the configuration of the environment variables, without listening.
 *
 * For a program that has its own server, such as NestJS, Fastify or Next.js. `WORKERS`, `HOST`,
 * `PORT`, `TRUST_PROXY`, `ADMIN_HOST`, `ADMIN_PORT` and `DRAIN_DELAY_MS` have no effect. Behind a
 * proxy, return the client's address with `peerOf` of the binding. With `WALLETS=sandbox`, each app
 * without pay tools gets those of the sandbox: at the start, and later by a background task.
 *
 * @returns the host. Its background tasks do not run before `tillkit.start()`.
 * @throws Error (as a rejection) that names every reason, without a secret: wrong variables, an
 *   unusable file, or a database that is not migrated.
 * @example
 * ```ts
 * import { createServer } from "node:http";
 * import { nodeListener } from "@tillkit/node";
 * import { closeServer } from "@tillkit/runtime";
 * import { openTillkit } from "@tillkit/server";
 *
 * const { tillkit, surfaces, admin, stop } = await openTillkit();
 * tillkit.start();
 * const server = createServer(nodeListener(surfaces)).listen(8080);
 * createServer(admin).listen(9090, "127.0.0.1");
 * process.once("SIGTERM", async () => {
 *   await stop(() => closeServer(server));
 *   process.exit(0);
 * });
 * ```
 */
export async function openTillkit({
  environment = process.env,
  ...options
}: OpenTillkitOptions = {}): Promise<OpenedTillkit> {
  const read = readConfig(environment);
  if (read.isErr()) throw new Error(problemList(WRONG_ENVIRONMENT, read.error));
  const config = read.value;
  const logger = openLogger(config.logLevel, pino.destination({ fd: 1, sync: true }));
  // A supervisor imports this file, too, and must not load the modules of a host.
  const [{ openHost }, { adminApp }] = await Promise.all([
    import("./assembly/open-host.js"),
    import("./http/admin-app.js"),
  ]);
  const opened = await openHost(config, logger, options);
  if (opened.isErr()) throw new Error(opened.error);
  const host = opened.value;
  const { tillkit, surfaces, dashboard, sandbox } = host;
  const { trustProxy } = config.admin;
  return {
    tillkit,
    ports: tillkit.ports,
    ...host.database,
    logger,
    sandbox,
    surfaces,
    admin: adminApp(tillkit, host, { dashboard, sandbox: sandbox?.control, trustProxy }),
    stop: async (closeServer) => {
      host.endStreams();
      const [ended] = await Promise.all([tillkit.stop(config.shutdownDeadline), closeServer?.()]);
      // A step that is still running needs the database until the process ends.
      if (ended.unfinished.length === 0) await host.release();
      return ended;
    },
  };
}
