import type { Config } from "../config.js";
import type { Logger } from "./logger.js";

/**
 * Logs that customers do not pay real money: as a warning if this is probably a mistake.
 *
 * @param appsAtSandbox - how many apps pay at the sandbox of the host, if it has one.
 */
export function logSimulation(
  { gateways, likeProduction }: Pick<Config, "gateways" | "likeProduction">,
  appsAtSandbox: number | undefined,
  logger: Logger,
): void {
  const level = likeProduction ? "warn" : "info";
  if (appsAtSandbox !== undefined)
    logger[level]({ apps: appsAtSandbox }, "the wallets are simulated: no customer pays real money");
  for (const [channel, { DEV: gateway }] of Object.entries(gateways)) {
    if (gateway === undefined) continue;
    const { origin } = new URL(gateway);
    logger[level]({ channel, gateway: origin }, "DEV pay tools call this gateway, not the wallet");
  }
}
