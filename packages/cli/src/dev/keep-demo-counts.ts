import { businessDay, type Ports, recordDownloads } from "@tillkit/core";
import type { CountFailure } from "@tillkit/core/ports";
import { okAsync, type ResultAsync } from "neverthrow";
import { demoCounts } from "./demo-counts.js";

const DAYS = 400;
const DAY_MS = 86_400_000;

/** Stores the app's missing counts of the last 400 days. Existing counts stay unchanged. */
export function keepDemoCounts(
  ports: Pick<Ports, "clock" | "downloads" | "policy">,
  appId: string,
): ResultAsync<void, CountFailure> {
  const { date: today } = businessDay(ports.policy.timeZone, ports.clock.now());
  const wanted = demoCounts(appId, today, DAYS);
  const [start = today] = wanted.map(({ date }) => date).sort();
  const placeOf = (store: string, day: number) => `${store} ${day}`;
  return ports.downloads
    .read(appId, start, today)
    .andThen((stored) => {
      const known = new Set(stored.flatMap(({ store, days }) => days.map((day) => placeOf(store, day))));
      const dayOf = (date: string) => (Date.parse(date) - Date.parse(start)) / DAY_MS;
      const missing = wanted.filter(({ store, date }) => !known.has(placeOf(store, dayOf(date))));
      return missing.length === 0 ? okAsync(undefined) : recordDownloads(ports, [missing]);
    })
    .map(() => undefined);
}
