import { auditLoad, openSharedHosts, playLoad } from "@tillkit/crash/shared-hosts";
import { createSchema, dropSchema, freshSchema } from "../cluster-schema.js";
import type { NodeControl } from "../node-controls.js";
import { type Outcome, outcomeOf } from "../outcome.js";
import { preparedLeft } from "../prepared-transactions.js";
import { auditLine, auditProblems } from "./audit-problems.js";

/** The number of customers who buy at the same time. */
const LANES = 8;

/**
 * Kills and restarts a worker several times under load, then compares the load with the database.
 */
export async function workerLoss(
  url: string,
  worker: NodeControl,
  kills: number,
  progress: (line: string) => void,
): Promise<Outcome> {
  const schema = freshSchema();
  const hosts = await openSharedHosts({
    databaseUrl: url,
    schema,
    direct: true,
    querySchedule: [1_000, 2_000, 3_000, 5_000, 10_000, 20_000, 40_000, 60_000, 3_600_000],
    prepare: () => createSchema(url, schema),
  });
  try {
    let ended = false;
    const load = playLoad(hosts, { lanes: LANES, ending: () => ended });
    for (let kill = 1; kill <= kills; kill += 1) {
      await pause(1_500);
      await worker.kill();
      await pause(500);
      await worker.start();
      progress(`worker killed and started ${String(kill)} of ${String(kills)} times`);
    }
    await pause(1_500);
    ended = true;
    const record = await load;
    const audit = await auditLoad(hosts, record);
    const prepared = await preparedLeft(url);
    const paid = record.orders.filter((order) => order.paid).length;
    return outcomeOf(
      [
        ...record.problems.slice(0, 5),
        ...auditProblems(audit),
        ...(prepared === 0 ? [] : [`prepared transactions left: ${String(prepared)}`]),
        ...(record.failed === 0 ? ["no request failed, so no kill met a request"] : []),
      ],
      [
        `${String(kills)} kills, ${String(record.orders.length)} orders, ${String(paid)} paid, ${String(record.tokens.length)} logins, ${String(record.requests)} requests, ${String(record.failed)} failed and were repeated`,
        `${auditLine(audit)}, prepared transactions left ${String(prepared)}`,
      ],
    );
  } finally {
    await hosts.close();
    await dropSchema(url, schema);
  }
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
