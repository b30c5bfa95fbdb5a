import { createDownloadsClient, type DailyCount, orThrow } from "@tillkit/core";
import { metricsSurface, withNegotiation } from "@tillkit/core/http";
import { inProcess } from "../harness/in-process.js";
import type { BenchRow } from "../harness/row.js";
import { openDemoApp } from "./demo-app.js";

/** Measures the largest downloads report, compared with writing its finished object as JSON. */
export async function reportRow(): Promise<BenchRow> {
  const { ports, request } = await openReport();
  const surface = metricsSurface(ports);
  const finished: unknown = JSON.parse((await surface.handle(request())).body);
  return {
    work: "a report of 366 days and 16 stores, from memory",
    contestants: [
      inProcess({ name: "report, in memory", role: "ours", once: () => surface.handle(request()) }),
      inProcess({
        name: "JSON.stringify of the finished object",
        role: "limit",
        once: () => Promise.resolve(JSON.stringify(finished)),
      }),
    ],
    targets: [{ kind: "speed", than: "JSON.stringify of the finished object", atLeast: 0.5 }],
  };
}

/** Measures what it costs to compress the largest downloads report. */
export async function compressedReportRow(): Promise<BenchRow> {
  const { ports, request } = await openReport();
  const surface = withNegotiation(ports, metricsSurface(ports));
  const ask = (coding: "br" | "gzip" | "identity") => () => surface.handle(request(coding));
  const lines = await Promise.all(
    (["br", "gzip", "identity"] as const).map(async (name) => {
      const { body, headers } = await ask(name)();
      if ((headers["content-encoding"] ?? "identity") !== name)
        throw new Error(`The report has the coding ${headers["content-encoding"] ?? "identity"}.`);
      return { name, count: Buffer.byteLength(body) };
    }),
  );
  const plain = "report, as it is";
  const gzip = "report, by gzip";
  return {
    work: "a compressed report of 366 days and 16 stores, from memory",
    contestants: [
      inProcess({ name: "report, by Brotli", role: "ours", once: ask("br") }),
      inProcess({ name: gzip, role: "ours", once: ask("gzip") }),
      inProcess({ name: plain, role: "limit", once: ask("identity") }),
    ],
    targets: [
      { kind: "cpu", than: plain, atMost: 3 },
      { kind: "cpu", ours: gzip, than: plain, atMost: 4 },
    ],
    counts: { title: "Bytes of the report", lines },
  };
}

/** Opens ports with the counts of a year, and returns the request of their report. */
async function openReport() {
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
  await orThrow(ports.downloads.upsert([counts]));
  const client = await createDownloadsClient(ports, { appId, dailyLimit: 1_000_000_000 });
  const { clientId } = orThrow(client);
  const request = (coding = "identity") => ({
    method: "GET",
    path: "/misc/v2/downloads-api",
    query: `id=${clientId}&start=2024-01-01&end=2024-12-31`,
    headers: new Headers({ "accept-encoding": coding }),
    body: new Uint8Array(),
  });
  return { ports, request };
}
