import { z } from "zod";
import type { Bench } from "../harness/bench.js";
import { inProcess } from "../harness/in-process.js";
import { overHttp } from "../harness/over-http.js";
import type { BenchRow } from "../harness/row.js";
import type { Load } from "../load/load.js";
import { openShop, type Shop } from "../shop/open-shop.js";
import { SCHEMA } from "../shop/shop-facts.js";
import { tillkitOn } from "../shop/tillkit-on.js";

const report = z.object({
  data: z.object({
    result: z.literal("success"),
    usage: z.object({ dailyLimit: z.int() }),
    downloadsData: z.unknown(),
  }),
});
const answered = z.object({ body: z.unknown() });
const CLIENT = "bench";
/** The daily limit of the client, far above the number of requests. */
const DAILY_LIMIT = 1_000_000_000;

/** Measures the largest downloads report on fifty connections. */
export async function downloadsRow(bench: Bench): Promise<BenchRow> {
  const shop = await openShop(await bench.database());
  await fillDownloads(shop);
  const load: Load = {
    connections: 50,
    steps: [
      {
        method: "GET",
        path: `/misc/v2/downloads-api?id=${CLIENT}&start=2024-01-01&end=2024-12-31`,
        headers: {},
      },
    ],
    expects: '"result":"success"',
  };
  // The used part of the limit changes with every report.
  const essence = (body: unknown) => {
    const { data } = report.parse(body);
    return { limit: data.usage.dailyLimit, downloadsData: data.downloadsData };
  };
  const node = await tillkitOn("node", bench, { facts: shop.facts, load, essence });
  const express = await tillkitOn("express", bench, { facts: shop.facts, load, essence });
  const finished = answered.parse(await node.answer?.()).body;
  const byHand = await overHttp({
    name: "Express 5 and GROUP BY, by hand",
    role: "alternative",
    program: new URL("../servers/by-hand/downloads.ts", import.meta.url),
    facts: shop.facts,
    load,
    essence,
  });
  const stringify = inProcess({
    name: "JSON.stringify of the finished object",
    role: "limit",
    once: () => Promise.resolve(JSON.stringify(finished)),
  });
  return {
    work: "GET /misc/v2/downloads-api, 366 days of 16 stores, 50 at once",
    contestants: [node, express, byHand, stringify],
    targets: [
      { kind: "speed", than: byHand.name, atLeast: 1 },
      { kind: "speed", than: stringify.name, atLeast: 0.5 },
      { kind: "memory", atMost: 1.2 },
      { kind: "memory", ours: express.name, atMost: 1.2 },
    ],
    close: () => shop.sql.close(),
  };
}

async function fillDownloads({ sql, facts: { appId } }: Shop): Promise<void> {
  const rows = `select '${appId}', 'store_' || lpad(store::text, 2, '0'), date '2024-01-01' + day, day * store, day
    from generate_series(1, 16) as store, generate_series(0, 365) as day`;
  const client = `values ('${CLIENT}', '${appId}', ${DAILY_LIMIT}`;
  await sql.script(
    `create table downloads_by_hand (
       app_id text not null, store text not null, day date not null, new_downloads bigint not null, update_downloads bigint not null,
       primary key (app_id, day, store));
     create table downloads_clients_by_hand (client_id text primary key, app_id text not null, daily_limit bigint not null);
     create table downloads_usage_by_hand (client_id text not null, day date not null, used bigint not null, primary key (client_id, day));
     insert into downloads_by_hand ${rows};
     insert into downloads_clients_by_hand ${client});
     insert into ${SCHEMA}.downloads (app_id, store, day, new_downloads, update_downloads) ${rows};
     insert into ${SCHEMA}.downloads_clients (client_id, app_id, daily_limit, created_ms) ${client}, 0);
     analyze`,
  );
}
