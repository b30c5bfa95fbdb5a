import type { Config } from "../config.js";
import type { Logger } from "../logger.js";
import { refuse } from "../refuse.js";
import { startHost } from "../start-host.js";
import { processStopper } from "../stop-process.js";
import { serveStack } from "./serve-stack.js";
import { fromSupervisor, type FromWorker, SOCKET_VARIABLE } from "./messages.js";

/** Runs the host in this process until the supervisor stops it. */
export async function runWorker(config: Config, logger: Logger): Promise<void> {
  // Some service managers send signals to all processes. The supervisor decides what they mean.
  for (const signal of ["SIGTERM", "SIGINT", "SIGHUP"] as const) process.on(signal, () => undefined);
  const adminSocket = process.env[SOCKET_VARIABLE] ?? "";
  serveStack(adminSocket);
  const onLastMetrics = (text: string): void => send({ type: "last-metrics", text });
  const starting = startHost(config, logger, { adminSocket, onLastMetrics });
  const stopper = starting.then((started) => started.map((host) => processStopper(host, config, logger)));
  process.on("message", (message) => {
    const { signal } = fromSupervisor.parse(message);
    void stopper.then((stop) => stop.map((stopHost) => stopHost(signal)));
  });
  const started = await starting;
  if (started.isErr()) refuse(started.error);
  const { host, port } = started.value.api;
  logger.info({ host, port }, "worker ready");
  send({ type: "serving", port });
}

function send(message: FromWorker): void {
  process.send?.(message);
}
