import { orThrow } from "@tillkit/core";
import { auditLoad, type LoadRecord, openSharedHosts, type SharedHosts } from "@tillkit/crash/shared-hosts";
import { createSchema, dropSchema, freshSchema } from "../cluster-schema.js";
import type { NodeControl } from "../node-controls.js";
import { type Outcome, outcomeOf } from "../outcome.js";
import { ask, countPrepared, preparedLeft } from "../prepared-transactions.js";
import { auditLine, auditProblems } from "./audit-problems.js";
import { orderOf } from "./requests.js";

/** The number of payments that are being committed when the node dies. */
const PAYMENTS = 12;
/** How long the transactions may take to be prepared, in milliseconds. */
const PATIENCE = 15_000;

/** The node that a run of {@link commitLoss} kills. */
export interface LostNode {
  readonly name: "coordinator" | "worker";
  /** A URL of the node for a superuser. */
  readonly url: string;
  readonly control: NodeControl;
}

/**
 * Kills a node between PREPARE and COMMIT PREPARED of payments that it began.
 *
 * If the node is a worker, the hosts connect to it directly. The node gets a synchronous standby
 * that does not exist. So each commit of the node waits, after the other nodes have prepared the
 * transaction. The kill interrupts all transactions at this point.
 */
export async function commitLoss(url: string, node: LostNode): Promise<Outcome> {
  const schema = freshSchema();
  const querySchedule = [1_000, 2_000, 3_000, 5_000, 10_000, 20_000, 40_000, 60_000, 3_600_000];
  const hosts = await openSharedHosts({
    databaseUrl: url,
    schema,
    direct: node.name === "worker",
    querySchedule,
    prepare: () => createSchema(url, schema),
  });
  try {
    const record = await createOrders(hosts);
    await setStandby(node.url, "set synchronous_standby_names to 'tillkit_absent'");
    const { simulatorControls } = hosts.simulators.sandbox;
    const payments = record.orders.map(async (order) => {
      order.paid = (await simulatorControls.pay(order.id ?? "")).isOk();
    });
    const prepared = await countAtPeak(url);
    await node.control.kill();
    await node.control.start();
    await setStandby(node.url, "reset synchronous_standby_names");
    await Promise.all(payments);
    const audit = await auditLoad(hosts, record);
    const left = await preparedLeft(url);
    return outcomeOf(
      [
        ...(prepared === 0 ? [`no transaction was prepared when the ${node.name} died`] : []),
        ...auditProblems(audit),
        ...(left === 0 ? [] : [`prepared transactions left: ${String(left)}`]),
      ],
      [
        `${String(PAYMENTS)} payments, ${String(prepared)} transactions prepared on other nodes when the ${node.name} died`,
        `${auditLine(audit)}, prepared transactions left ${String(left)}`,
      ],
    );
  } finally {
    await setStandby(node.url, "reset synchronous_standby_names").catch(() => undefined);
    await hosts.close();
    await dropSchema(url, schema);
  }
}

async function createOrders(hosts: SharedHosts): Promise<LoadRecord> {
  const record: LoadRecord = {
    began: Date.now(),
    tokens: [],
    problems: [],
    reports: 0,
    requests: 0,
    failed: 0,
    orders: Array.from({ length: PAYMENTS }, (_, nth) => ({
      bizNo: `k-${String(nth)}`,
      customer: `c-${String(nth % 4)}`,
      paid: false,
    })),
  };
  const { sql, stores } = hosts.openStores();
  for (const [nth, order] of record.orders.entries()) {
    const { body } = await hosts.ask(nth, "/pay/order.json", orderOf(order));
    const stored = await orThrow(stores.orders.find({ appId: hosts.appId, bizNo: order.bizNo }));
    if (stored === undefined) throw new Error(`The order was not created: ${JSON.stringify(body)}`);
    order.id = stored.id;
  }
  await sql.close();
  return record;
}

/** Changes the synchronous standbys of a node, which needs a superuser. */
async function setStandby(url: string, change: string): Promise<void> {
  await ask(url, `alter system ${change}`);
  await ask(url, "select pg_reload_conf()");
}

/** Returns the number of prepared transactions once it no longer grows. */
async function countAtPeak(url: string): Promise<number> {
  let [before, same] = [0, 0];
  for (const began = Date.now(); same < 3 && Date.now() - began < PATIENCE;) {
    await new Promise((resolve) => setTimeout(resolve, 200));
    const now = await countPrepared(url);
    same = now > 0 && now === before ? same + 1 : 0;
    before = now;
  }
  return before;
}
