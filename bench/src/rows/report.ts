import { createDownloadsClient, type DailyCount } from "@tillkit/core";
import { metricsSurface } from "@tillkit/core/http";
import { inProcess } from "../harness/in-process.js";
import type { BenchRow } from "../harness/row.js";
import { openDemoApp } from "./demo-app.js";

/** Measures the largest downloads report, compared with writing its finished object as JSON. */
export async function reportRow(): Promise<BenchRow> {
  const { ports, appId } = await openDemoApp();
  const days = Array.from({ length: 366 }, (_, index) =>
    new Date(Date.UTC(2024, 0, 1 + index)).toISOString().slice(0, 10),
  );
  const counts = Array.from({ length: 16 }, (_, store) =>
    days.map((date, day): DailyCount => {
      return {
        appId,
        store: `store_${String(store + 1)}`,
        date,
        newDownloads: day * store,
        updateDownloads: day,
      };
    }),
  ).flat();
  (await ports.downloads.upsert([counts]))._unsafeUnwrap();
  const client = await createDownloadsClient(ports, { appId, dailyLimit: 1_000_000_000 });
  const { clientId } = client._unsafeUnwrap();
  const surface = metricsSurface(ports);
  const request = {
    method: "GET",
    path: "/misc/v2/downloads-api",
    query: `id=${clientId}&start=2024-01-01&end=2024-12-31`,
    headers: new Headers(),
    body: new Uint8Array(),
  };
  const finished: unknown = JSON.parse((await surface.handle(request)).body);
  return {
    work: "a report of 366 days and 16 stores, from memory",
    contestants: [
      inProcess({ name: "report, in memory", role: "ours", once: () => surface.handle(request) }),
      inProcess({
        name: "JSON.stringify of the finished object",
        role: "limit",
        once: () => Promise.resolve(JSON.stringify(finished)),
      }),
    ],
    targets: [{ kind: "speed", than: "JSON.stringify of the finished object", atLeast: 0.5 }],
  };
}
