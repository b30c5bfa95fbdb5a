import { findTimelineBreak } from "@tillkit/core";
import { nodeDigest } from "@tillkit/runtime";
import { unwrapOrExit } from "../../../../cli/src/dev/unwrap-or-exit.js";
import { at, listAt } from "../testing/json.js";
import { MONTH, type SharedHosts } from "./open-shared-hosts.js";
import type { LoadRecord } from "./play-load.js";

/**
 * The differences between what callers know and what is stored.
 *
 * Each list has an order number, a `bizNo` or a customer for each difference.
 */
export interface LoadAudit {
  /** Acknowledged orders that are not stored, and paid orders that are not PAID. */
  readonly lost: readonly string[];
  /** Orders with several numbers, rows or payments. */
  readonly doubled: readonly string[];
  readonly brokenTimelines: readonly string[];
  /** Customers whose service does not have one month for each paid order. */
  readonly servicesWrong: readonly string[];
}

/** How long paid orders may take to become PAID after the load, in milliseconds. */
const PATIENCE = 90_000;

/** Waits until all paid orders are PAID, and compares the load with the database. */
export async function auditLoad(hosts: SharedHosts, record: LoadRecord): Promise<LoadAudit> {
  const { sql, stores } = hosts.openStores();
  const digest = nodeDigest({ peppers: [{ version: 1, key: "not used for chains, and long enough" }] });
  const keyOf = (bizNo: string) => ({ appId: hosts.appId, bizNo });
  const unsettled = async () => {
    const left: string[] = [];
    for (const { bizNo, paid } of record.orders) {
      const order = unwrapOrExit("order", await stores.orders.find(keyOf(bizNo)));
      if (order === undefined || (paid && order.paymentStatus !== "PAID")) left.push(bizNo);
    }
    return left;
  };
  try {
    let lost = await unsettled();
    for (
      const began = Date.now();
      lost.length > 0 && Date.now() - began < PATIENCE;
      lost = await unsettled()
    ) {
      await hosts.both(2, "/reconcile?limit=500", { method: "POST" });
      await new Promise((resolve) => setTimeout(resolve, 200));
    }
    const ended = Date.now();
    const doubled = new Set<string>();
    const brokenTimelines: string[] = [];
    const months = new Map<string, number>();
    const ids = new Set<string>();
    for (const { bizNo, customer, id, paid } of record.orders) {
      const order = unwrapOrExit("order", await stores.orders.find(keyOf(bizNo)));
      if (order === undefined) continue;
      ids.add(order.id);
      if (id !== undefined && id !== order.id) doubled.add(bizNo);
      const timeline = unwrapOrExit("timeline", await stores.orders.timeline(keyOf(bizNo)));
      if (timeline.length === 0 || findTimelineBreak(digest, order.id, timeline) !== undefined)
        brokenTimelines.push(bizNo);
      for (const type of ["CREATED", "PAID"])
        if (timeline.filter((entry) => entry.type === type).length > 1) doubled.add(bizNo);
      months.set(customer, (months.get(customer) ?? 0) + (paid ? 1 : 0));
    }
    // A prepayment of an order that is not stored belongs to a second order of some caller.
    for (const outTradeNo of hosts.simulators.prepared.keys())
      if (!ids.has(outTradeNo) && (await unknown(stores, outTradeNo))) doubled.add(outTradeNo);
    const servicesWrong: string[] = [];
    for (const [customer, count] of months) {
      const { body } = await hosts.ask(0, `/pay/customerServiceMgmt/${customer}.json`);
      const services = listAt(body, "data", "customerServiceList");
      const start = Number(at(services, 0, "expireTime") ?? 0) - count * MONTH;
      const right =
        count === 0
          ? services.length === 0
          : services.length === 1 && start >= record.began && start <= ended;
      if (!right) servicesWrong.push(customer);
    }
    return { lost, doubled: [...doubled], brokenTimelines, servicesWrong };
  } finally {
    await sql.close();
  }
}

async function unknown(
  { orders }: ReturnType<SharedHosts["openStores"]>["stores"],
  outTradeNo: string,
): Promise<boolean> {
  return unwrapOrExit("order", await orders.findById(outTradeNo)) === undefined;
}
