import { type Ports, runHousekeeping } from "@tillkit/core";
import { keepDemoCounts } from "./keep-demo-counts.js";
import { type Loop, startLoop } from "./loop.js";

/**
 * Removes expired records and extends the demo app's counts to today, periodically.
 *
 * @param interval - milliseconds between two runs.
 */
export function startHousekeeper(
  ports: Ports,
  demoAppId: string,
  interval: number,
  report: (problem: string) => void,
): Loop {
  async function keep(): Promise<void> {
    const counted = await keepDemoCounts(ports, demoAppId);
    const kept = await runHousekeeping(ports);
    if (counted.isErr()) report(`demo counts: ${counted.error.name}`);
    if (kept.isErr()) report(`housekeeping: ${kept.error.name}`);
    else if (kept.value.more) await keep();
  }
  return startLoop(keep, interval);
}
