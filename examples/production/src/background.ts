import { type Ports, reconcileOrders, runHousekeeping } from "@tillkit/core";
import type { Config } from "./config.js";
import type { Logger } from "./logger.js";
import { type Loop, startLoop } from "./loops.js";
import type { Metrics } from "./metrics.js";

/** Orders, and refunds, that one step of the reconciler takes: all of them are asked about at once. */
const AT_ONCE = 20;

/**
 * Starts what a host does beside answering: it asks wallets about what is open, and removes what has expired. Any number of processes may, each
 * piece of work goes to one.
 */
export function startBackground(
  ports: Ports,
  { reconcileEvery, housekeepingEvery }: Pick<Config, "reconcileEvery" | "housekeepingEvery">,
  logger: Logger,
  metrics: Metrics,
): Readonly<Record<string, Loop>> {
  const reportOf =
    (loop: string) => (outcome: "ok" | { readonly name: string; readonly cause?: unknown }) => {
      metrics.loopSteps.inc({ loop, outcome: outcome === "ok" ? "ok" : "failed" });
      if (outcome === "ok") metrics.loopSucceededAt.setToCurrentTime({ loop });
      else logger.error({ loop, failure: outcome.name, err: outcome.cause }, "background step failed");
    };
  return {
    reconciler: startLoop({
      step: () =>
        reconcileOrders(ports, AT_ONCE).map(({ orders, refunds }) => ({
          more: Math.max(orders, refunds) === AT_ONCE,
        })),
      every: reconcileEvery,
      report: reportOf("reconciler"),
    }),
    housekeeping: startLoop({
      step: () => runHousekeeping(ports),
      every: housekeepingEvery,
      report: reportOf("housekeeping"),
    }),
  };
}
