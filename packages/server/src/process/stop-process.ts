import { valueOrTimeout } from "@tillkit/runtime";
import type { Config } from "../config.js";
import type { Logger } from "../log/logger.js";
import type { Stopping } from "./shutdown.js";
import type { Host } from "./start-host.js";

/**
 * Returns the function that stops `host` because of a signal, and ends the process.
 *
 * The exit code is 0 if all work has ended, and 1 at the deadline or at the second call.
 */
export function processStopper(
  host: Pick<Host, "stop">,
  { drainDelay, shutdownDeadline }: Pick<Config, "drainDelay" | "shutdownDeadline">,
  logger: Logger,
): (signal: string) => void {
  let stopping: Stopping | undefined;
  return (signal) => {
    if (stopping !== undefined) cutOff(stopping, `${signal} was received twice`);
    logger.info({ signal }, "stopping");
    stopping = host.stop();
    void end(stopping);
  };

  async function end(ending: Stopping): Promise<void> {
    const ended = await valueOrTimeout(ending.done, drainDelay + shutdownDeadline);
    if (ended === "timeout") cutOff(ending, "the deadline passed");
    logger.info("stopped");
    process.exit(0);
  }

  function cutOff(ending: Stopping, why: string): never {
    logger.error({ cut: ending.unfinished() }, `stopped before the end: ${why}`);
    process.exit(1);
  }
}
