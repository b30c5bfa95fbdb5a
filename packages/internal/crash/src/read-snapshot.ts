import { findTimelineBreak, type Order, type Refund } from "@tillkit/core";
import { eventTypesOf } from "@tillkit/core/ports";
import { postgresOrderStore, postgresRefundStore } from "@tillkit/postgres";
import { nodeDigest } from "@tillkit/runtime";
import { unwrapOrExit } from "../../../cli/src/dev/unwrap-or-exit.js";
import { openStorage, SCHEMA } from "../../../cli/src/dev/open-storage.js";
import type { CrashEnvironment } from "./crash-environment.js";

/** An order in the database, with its refunds and its timeline. */
export interface OrderSnapshot {
  readonly order: Order;
  readonly refunds: readonly Refund[];
  /** The number of timeline events of each type. */
  readonly events: ReadonlyMap<string, number>;
  /** The ids of the events that handlers receive, in order. */
  readonly eventIds: readonly string[];
  /** Whether the hash chain of the timeline is intact. */
  readonly whole: boolean;
}

/** Reads every order from the database of a stopped host. */
export async function readSnapshot({
  dataDir,
  databaseUrl,
}: Pick<CrashEnvironment, "dataDir" | "databaseUrl">): Promise<readonly OrderSnapshot[]> {
  const storage = await openStorage({ dataDir, databaseUrl, print: () => undefined });
  const { sql } = storage;
  const orders = postgresOrderStore(sql, SCHEMA);
  const refunds = postgresRefundStore(sql, SCHEMA);
  // The hash chain uses plain SHA-256, which needs no key.
  const digest = nodeDigest({ peppers: [{ version: 1, key: "not used for chains, and long enough" }] });
  const text = `select app_id, biz_no from ${SCHEMA}.orders order by biz_no`;
  const booked: OrderSnapshot[] = [];
  for (const row of await sql.query({ name: "crash_orders", text }, [])) {
    const key = { appId: String(row["app_id"]), bizNo: String(row["biz_no"]) };
    const order = unwrapOrExit("order", await orders.find(key));
    if (order === undefined) throw new Error(`${key.bizNo} is in the table and cannot be found.`);
    const timeline = unwrapOrExit("timeline", await orders.timeline(key));
    const events = new Map<string, number>();
    for (const { type } of timeline) events.set(type, (events.get(type) ?? 0) + 1);
    const eventIds = timeline.flatMap((event) =>
      eventTypesOf(event, order.service !== undefined).map(
        (_type, index) => `${order.id}-${String(event.seq)}-${String(index)}`,
      ),
    );
    const whole = findTimelineBreak(digest, order.id, timeline) === undefined;
    const ofOrder = unwrapOrExit("refunds", await refunds.list(key));
    booked.push({ order, refunds: ofOrder, events, eventIds, whole });
  }
  await storage.close();
  return booked;
}
