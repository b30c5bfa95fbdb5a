import { builtProgram } from "@tillkit/built-program";
import { z } from "zod";
import type { Bench } from "../harness/bench.js";
import { openDatabaseUsage } from "../harness/database-usage.js";
import { underLoad } from "../harness/over-http.js";
import { startProductionHost } from "../harness/production-host.js";
import type { BenchRow, Contestant } from "../harness/row.js";
import { createAndReadOrders } from "../load/create-orders.js";
import { fillOrders } from "../shop/fill-orders.js";
import { openWalletBShop } from "../shop/open-wallet-b-shop.js";

const answered = z.object({ code: z.number(), data: z.record(z.string(), z.unknown()) });
const HOST = new URL("../../../packages/server/src/testing/server-program.ts", import.meta.url);

const nameOf = (workers: number): string =>
  workers === 1 ? "one process" : `a supervisor and ${workers} worker processes`;

/**
 * Measures what several processes of a host cost the database.
 *
 * A process joins the statements of its concurrent requests. More processes join fewer requests
 * each, so the database does more work for the same requests.
 */
export async function processesRow(bench: Bench): Promise<BenchRow> {
  const orders = 10_000;
  const shop = await openWalletBShop(bench);
  await fillOrders(shop, { orders, byHand: false });
  const database = await openDatabaseUsage(shop.facts.databaseUrl);
  const program = await builtProgram(HOST);
  const load = createAndReadOrders(shop.facts, { orders });
  const hostOf = async (workers: number): Promise<Contestant> => {
    // The name of the application distinguishes the connections of this host from those of other
    // hosts.
    const url = new URL(shop.facts.databaseUrl);
    const name = `bench ${workers}`;
    url.searchParams.set("application_name", name);
    const host = await startProductionHost({
      program,
      facts: { ...shop.facts, databaseUrl: url.href },
      environment: { WORKERS: String(workers) },
    });
    return underLoad(
      {
        name: nameOf(workers),
        role: "ours",
        load,
        essence: (body) => Object.keys(answered.parse(body).data).sort(),
      },
      { ...host, databaseCpu: database.cpu, connections: () => database.connections(name) },
    );
  };
  return {
    work: `POST /order.json for WALLET_B and GET /detail.json of another order, the host of examples/production; on two processors, which generator and database share, more processes bring no speed`,
    contestants: [await hostOf(2), await hostOf(1), await hostOf(4)],
    targets: [
      { kind: "speed", than: nameOf(1), atLeast: 0.9 },
      { kind: "database-cpu", ours: nameOf(4), than: nameOf(1), atMost: 1.5 },
    ],
    close: async () => {
      await database.close();
      await shop.sql.close();
    },
  };
}
