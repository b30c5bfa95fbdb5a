import type { Config } from "../config.js";
import type { Logger } from "../log/logger.js";
import type { ServeOptions } from "../options.js";
import { refuse } from "../process/refuse.js";
import { startHost } from "../process/start-host.js";
import { processStopper } from "../process/stop-process.js";
import { serveStack } from "./serve-stack.js";
import { fromSupervisor, type FromWorker, SOCKET_VARIABLE } from "./messages.js";

/** Runs the host in this process until the supervisor stops it. */
export async function runWorker(config: Config, logger: Logger, options: ServeOptions): Promise<void> {
  // Some service managers send signals to all processes. A worker ignores them: only the supervisor
  // stops or replaces workers.
  for (const signal of ["SIGTERM", "SIGINT", "SIGHUP"] as const) process.on(signal, () => undefined);
  const adminSocket = process.env[SOCKET_VARIABLE] ?? "";
  serveStack(adminSocket);
  const onLastMetrics = (text: string): void => send({ type: "last-metrics", text });
  const starting = startHost(config, logger, options, { adminSocket, onLastMetrics });
  const stopper = starting.then((started) => started.map((host) => processStopper(host, config, logger)));
  process.on("message", (message) => {
    // Libraries may send messages of their own to the workers.
    const request = fromSupervisor.safeParse(message).data;
    if (request === undefined) return;
    void stopper.then((stop) => stop.map((stopHost) => stopHost(request.signal)));
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
