import { checkCredentialExpiry, type Ports, reconcileOrders, runHousekeeping } from "@tillkit/core";
import type { Config } from "./config.js";
import type { Logger } from "./logger.js";
import { type Loop, startLoop } from "./loops.js";
import { type Metrics, showExpiries } from "./metrics.js";

/** How many orders and refunds one step of the reconciler processes concurrently. */
const AT_ONCE = 20;
/** The pause between checks of credential expiry, in milliseconds. */
const CREDENTIALS_EVERY = 3_600_000;

/**
 * Starts the background work of a host: reconciliation, housekeeping and credential checks.
 *
 * The work queries the wallets about open orders and refunds, removes expired records, and checks
 * when wallet credentials expire. Any number of processes may run it: each order and refund is
 * claimed by one process.
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
    credentials: startLoop({
      step: () =>
        checkCredentialExpiry(ports).map(({ expiries }) => {
          showExpiries(metrics, expiries);
          return { more: false };
        }),
      every: CREDENTIALS_EVERY,
      report: reportOf("credentials"),
    }),
  };
}
