import cluster from "node:cluster";
import { pino } from "pino";
import { readConfig, VARIABLES } from "./config.js";
import { openLogger } from "./logger.js";
import { refuse } from "./refuse.js";

const [argument] = process.argv.slice(2);
if (argument === "--help" || argument === "-h") {
  console.log("Starts the host. README.md explains its environment variables:");
  console.log(VARIABLES.map((name) => `  ${name}`).join("\n"));
  process.exit(0);
}
if (argument !== undefined)
  refuse(`The host did not start: unknown argument ${JSON.stringify(argument)}. See --help.`);

const config = readConfig(process.env);
if (config.isErr())
  refuse("The host did not start, because its environment variables are wrong:", config.error);
const { workers, logLevel } = config.value;

// Written synchronously, so that no line is lost when the process ends.
const logger = openLogger(logLevel, pino.destination({ fd: 1, sync: true }));

// After either event the state of the process is unknown. Its supervisor starts a new process.
process.on("uncaughtException", (thrown) => {
  logger.fatal({ err: thrown }, "uncaught exception");
  process.exit(1);
});
process.on("unhandledRejection", (thrown) => {
  logger.fatal({ err: thrown }, "unhandled rejection");
  process.exit(1);
});

// A supervisor stays small, because it does not load what only hosts need.
if (workers === 1) {
  const { runHost } = await import("./run-host.js");
  await runHost(config.value, logger);
} else if (cluster.isPrimary) {
  const { superviseWorkers } = await import("./workers/supervise.js");
  await superviseWorkers(config.value, logger);
} else {
  const { runWorker } = await import("./workers/run-worker.js");
  await runWorker(config.value, logger);
}
