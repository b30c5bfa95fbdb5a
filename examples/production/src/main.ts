import { pino } from "pino";
import { readConfig } from "./config.js";
import { withDeadline } from "./deadline.js";
import { openLogger } from "./logger.js";
import type { Stopping } from "./shutdown.js";
import { startHost } from "./start-host.js";

const config = readConfig(process.env);
if (config.isErr())
  refuse("The host did not start, because its environment variables are wrong:", config.error);
const { drainDelay, shutdownDeadline, logLevel } = config.value;

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

const started = await startHost(config.value, logger);
if (started.isErr()) refuse(started.error);
const host = started.value;
logger.info(
  { host: host.api.host, port: host.api.port, admin: { host: host.admin.host, port: host.admin.port } },
  "ready",
);

let stopping: Stopping | undefined;
for (const signal of ["SIGTERM", "SIGINT"] as const) {
  process.on(signal, () => {
    if (stopping !== undefined) cutOff(stopping, `${signal} was received twice`);
    logger.info({ signal }, "stopping");
    stopping = host.stop();
    void end(stopping);
  });
}

async function end(ending: Stopping): Promise<void> {
  const ended = await withDeadline(ending.done, drainDelay + shutdownDeadline);
  if (ended === "late") cutOff(ending, "the deadline passed");
  logger.info("stopped");
  process.exit(0);
}

function cutOff(ending: Stopping, why: string): never {
  logger.error({ cut: ending.unfinished() }, `stopped before the end: ${why}`);
  process.exit(1);
}

function refuse(why: string, problems: readonly string[] = []): never {
  console.error([why, ...problems.map((problem) => `- ${problem}`)].join("\n"));
  process.exit(1);
}
