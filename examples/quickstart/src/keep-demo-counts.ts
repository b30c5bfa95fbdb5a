import { businessDay, type Ports } from "@tillkit/core";
import { demoCounts } from "./demo-counts.js";
import { must } from "./must.js";

const DAYS = 400;

/** Lets the app have 400 days of counts that end today. Counts that are there stay as they are. Throws when the storage fails. */
export async function keepDemoCounts(
  ports: Pick<Ports, "clock" | "downloads" | "policy">,
  appId: string,
): Promise<void> {
  const { date: today } = businessDay(ports.policy.timeZone, ports.clock.now());
  const wanted = demoCounts(appId, today, DAYS);
  const [start = today] = wanted.map(({ date }) => date).sort();
  const held = must("download counts", await ports.downloads.read(appId, start, today));
  const known = new Set(held.map(({ store, date }) => `${store} ${date}`));
  const missing = wanted.filter(({ store, date }) => !known.has(`${store} ${date}`));
  if (missing.length > 0) must("download counts", await ports.downloads.upsert([missing]));
}
