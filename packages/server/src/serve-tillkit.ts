import cluster from "node:cluster";
import { pino } from "pino";
import { type Config, readConfig, VARIABLES, WRONG_ENVIRONMENT } from "./config.js";
import { type Logger, openLogger } from "./log/logger.js";
import type { ServeOptions } from "./options.js";
import { refuse } from "./process/refuse.js";

/**
 * Runs a production host with the configuration of the environment variables, and ends its process.
 *
 * Serves the API on `PORT`, and health checks, metrics and the operators' page on `ADMIN_PORT`.
 * With `WORKERS` above 1, the first process only supervises: each worker runs your program again,
 * so call this function in all of them. `SIGTERM` ends the host in order; `SIGHUP` replaces the
 * workers one by one. `--help` prints the variables.
 *
 * @param options - the options that environment variables cannot express.
 * @returns resolves when the process serves. If it cannot, it prints every reason and exits with 1.
 * @example
 * ```ts
 * import { serveTillkit } from "@tillkit/server";
 *
 * declare function grant(bizNo: string): Promise<void>;
 *
 * await serveTillkit({
 *   eventHandlers: [
 *     { name: "grants", types: ["order.paid"], handle: ({ bizNo }) => grant(bizNo) },
 *   ],
 * });
 * ```
 */
export async function serveTillkit(options: ServeOptions = {}): Promise<void> {
  const config = configured();
  // Written synchronously, so that no line is lost when the process ends.
  const logger = openLogger(config.logLevel, pino.destination({ fd: 1, sync: true }));
  exitAfterUncaught(logger);
  // Loads the code of a host only in a process that serves, so a supervisor stays small.
  if (config.workers === 1) {
    const { runHost } = await import("./process/run-host.js");
    await runHost(config, logger, options);
  } else if (cluster.isPrimary) {
    const { superviseWorkers } = await import("./workers/supervise.js");
    await superviseWorkers(config, logger);
  } else {
    const { runWorker } = await import("./workers/run-worker.js");
    await runWorker(config, logger, options);
  }
}

/** Reads the arguments and the environment. Ends the process after `--help` or a mistake. */
function configured(): Config {
  const [argument] = process.argv.slice(2);
  if (argument === "--help" || argument === "-h") {
    const names = VARIABLES.map((name) => `  ${name}\n`).join("");
    process.stdout.write(`Starts the host, with the configuration of these environment variables:\n${names}`);
    process.exit(0);
  }
  if (argument !== undefined)
    refuse(`The host did not start: unknown argument ${JSON.stringify(argument)}. See --help.`);
  const config = readConfig(process.env);
  if (config.isErr()) refuse(WRONG_ENVIRONMENT, config.error);
  return config.value;
}

/**
 * Ends the process after an uncaught error, because its state is then unknown.
 *
 * The supervisor or the process manager starts a new process.
 */
function exitAfterUncaught(logger: Logger): void {
  process.on("uncaughtException", (thrown) => {
    logger.fatal({ err: thrown }, "uncaught exception");
    process.exit(1);
  });
  process.on("unhandledRejection", (thrown) => {
    logger.fatal({ err: thrown }, "unhandled rejection");
    process.exit(1);
  });
}
