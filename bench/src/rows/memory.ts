import { spawn } from "node:child_process";
import { once } from "node:events";
import { setTimeout as pause } from "node:timers/promises";
import type { Bench } from "../harness/bench.js";
import { underLoad } from "../harness/over-http.js";
import { type Usage, usageOf } from "../harness/proc.js";
import { buildProductionHost, startProductionHost } from "../harness/production-host.js";
import type { BenchRow, Contestant, Role, Round } from "../harness/row.js";
import { readOrders } from "../load/read-orders.js";
import { fillOrders } from "../shop/fill-orders.js";
import { openWalletBShop } from "../shop/open-wallet-b-shop.js";

/** How long a host is idle before its memory is measured, in milliseconds. */
const REST_MS = { full: 3_000, quick: 1_000 } as const;

/** Measures the memory of a host that has started and has nothing to do. */
export async function memoryAtRestRow(bench: Bench): Promise<BenchRow> {
  const { facts, sql } = await openWalletBShop(bench);
  const program = await buildProductionHost();
  const restMs = REST_MS[bench.quick ? "quick" : "full"];
  const host = (name: string, environment: Readonly<Record<string, string>>): Contestant =>
    startedAnew(name, "ours", restMs, () => startProductionHost({ program, facts, environment }));
  return {
    work: `the built host of examples/production, from its start until it is ready; its memory is that after ${restMs / 1_000} s of rest`,
    contestants: [
      host("the host", {}),
      host("a supervisor and 2 worker processes", { WORKERS: "2" }),
      startedAnew("a Node process that imports nothing", "limit", restMs, startEmptyProcess),
    ],
    ...(bench.quick ? { lessData: "one second of rest instead of three" } : {}),
    targets: [{ kind: "megabytes", atMost: 110 }],
    close: () => sql.close(),
  };
}

/** A process that is started for one round. */
interface Started {
  readonly usage: () => Promise<Usage>;
  readonly close: () => Promise<void>;
}

function startedAnew(name: string, role: Role, restMs: number, start: () => Promise<Started>): Contestant {
  const play = async (): Promise<Round> => {
    const from = performance.now();
    const started = await start();
    const ms = performance.now() - from;
    const { cpu } = await started.usage();
    await pause(restMs);
    const { rss } = await started.usage();
    await started.close();
    return { perSecond: 1_000 / ms, p50: ms, p99: ms, cpu, rss };
  };
  return { name, role, play, startsAnew: true };
}

async function startEmptyProcess(): Promise<Started> {
  const program = "process.on('message', () => 0); process.send('ready');";
  const child = spawn(process.execPath, ["--eval", program], {
    stdio: ["ignore", "ignore", "inherit", "ipc"],
  });
  await once(child, "message");
  return {
    usage: () => usageOf(child.pid ?? 0),
    close: async () => {
      child.kill();
      await once(child, "exit");
    },
  };
}

const LOADS = {
  load: { connections: 500, most: 256 },
  million: { connections: 64, most: 220 },
} as const;
/** The size of a round, sent in parts. Nine rounds and the warm-up are over a million requests. */
const ROUNDS = {
  full: { requests: 100_000, partMs: 2_000 },
  quick: { requests: 2_000, partMs: 250 },
};

/** Measures the memory of a host with many concurrent requests, or after a million of them. */
export async function memoryUnderLoadRow(bench: Bench, what: keyof typeof LOADS): Promise<BenchRow> {
  const { connections, most } = LOADS[what];
  const orders = 10_000;
  const shop = await openWalletBShop(bench);
  await fillOrders(shop, { orders, byHand: false });
  const program = await buildProductionHost();
  // All requests are accepted, also if the machine is too busy to answer them within a second.
  const environment = { MAX_CONCURRENT_REQUESTS: String(connections) };
  const host = await startProductionHost({ program, facts: shop.facts, environment });
  const name = `the host, ${connections} connections`;
  const load = readOrders(shop.facts, { orders, connections });
  const loaded = await underLoad({ name, role: "ours", load }, host);
  const round = ROUNDS[bench.quick ? "quick" : "full"];
  const contestant = what === "load" ? loaded : { ...loaded, play: untilAnswered(loaded.play, round) };
  const rounds = what === "load" ? "" : `, ${round.requests.toLocaleString("en")} requests a round`;
  return {
    work: `the memory of the built host of examples/production, GET /detail.json over ${connections} connections${rounds}`,
    contestants: [contestant],
    targets: [
      { kind: "memory", atMost: 1.1 },
      { kind: "megabytes", atMost: most },
    ],
    ...(what === "load" ? {} : { warmUp: "short" }),
    ...(bench.quick
      ? { lessData: "some thousand requests, so the memory still grows to its usual size" }
      : {}),
    close: () => shop.sql.close(),
  };
}

/** Plays until `requests` operations are done, and returns the last of the measurements. */
function untilAnswered(
  play: Contestant["play"],
  { requests, partMs }: { readonly requests: number; readonly partMs: number },
): Contestant["play"] {
  return async () => {
    let done = 0;
    for (;;) {
      const round = await play(partMs);
      done += (round.perSecond * partMs) / 1_000;
      if (done >= requests) return round;
    }
  };
}
