import {
  anAlarm,
  anEntry,
  anOrder,
  aPayment,
  DAY,
  expectOk,
  FIXTURE_TIME,
  race,
  sha256,
  unique,
} from "@tillkit/contract-tests";
import { findTimelineBreak, type Order, type Stores } from "@tillkit/core";
import type { OrderTransition } from "@tillkit/core/ports";
import { beforeEach, describe, expect, it } from "vitest";
import { postgresStores } from "../stores/postgres-stores.js";
import type { SqlClient } from "../sql/sql-client.js";
import { statement } from "../sql/statement.js";
import { tablesOf } from "../sql/tables.js";
import { withBlockedStatement } from "../testing/blocked-statement.js";
import { KEY } from "../testing/databases.js";
import { type RecordedStores, recordedStores } from "../testing/recorded-stores.js";
import { reportingDeadlocks } from "../testing/reporting-deadlocks.js";

/**
 * Timeout in milliseconds for a call that waits for no lock. Less than the timeout of a statement.
 */
const PATIENCE = 20_000;
const HOSTS = 2;
const CUSTOMERS = 6;
const PURCHASES = 8;

let sql: SqlClient;
let schema: string;
let stores: Stores;
let ran: RecordedStores["ran"];
beforeEach(async () => {
  ({ sql, schema, stores, ran } = await recordedStores());
});

const month = { serviceTypeNo: "T-1", serviceName: "Member", durationMs: 30 * DAY };
const purchase = (): OrderTransition => aPayment({ extendService: { serviceNo: unique("S-") } });
const move = (order: Order, change = aPayment()) => stores.orders.transition(order, change);

async function made(changes: Partial<Order> = {}): Promise<Order> {
  return expectOk(stores.orders.insertOnce(anOrder(changes), anEntry()));
}

/** Expects that the order is PAID by one event, and that no hash of its timeline is wrong. */
async function expectPaidOnce(order: Order): Promise<void> {
  const events = await expectOk(stores.orders.timeline(order));
  expect(events.filter(({ to }) => to === "PAID")).toHaveLength(1);
  expect(findTimelineBreak(sha256, order.id, events)).toBeUndefined();
}

/** Expects that a batch waits for no row of `table` that a transaction has locked. */
async function expectOnlyFirstWaits(
  { table, where }: { readonly table: string; readonly where: string },
  first: Order,
  second: Order,
  change: () => OrderTransition,
): Promise<void> {
  const { waiting } = await sql.transaction(async (holder) => {
    expect(
      await holder.query(statement("test_hold", `select from ${table} where ${where} for update`), []),
    ).toHaveLength(1);
    const settled: string[] = [];
    const waiting = expectOk(move(first, change())).finally(() => settled.push("locked"));
    const free = expectOk(move(second, change())).finally(() => settled.push("free"));
    await expect.poll(() => settled, { timeout: PATIENCE }).toContain("free");
    expect(settled).toEqual(["free"]);
    expect(await free).toMatchObject({ moved: true });
    return { waiting };
  });
  expect(await waiting).toMatchObject({ moved: true });
  for (const order of [first, second]) await expectPaidOnce(order);
}

describe("calls of one turn share a statement, and a single call has its own:", () => {
  it("orders.transition", async () => {
    const [first, second, third] = [await made(), await made(), await made()];
    ran();
    const paid = await expectOk(move(first));
    expect(ran()).toEqual(["order_transition"]);
    const calls = [second, first, third];
    const results = await race(calls.length, (n) => move(calls[n] ?? first));
    expect(results.map((result) => result?.moved)).toEqual([true, false, true]);
    expect(results[1]?.order).toEqual(paid?.order);
    expect(ran()).toEqual(["order_transition_batched"]);
    for (const order of calls) await expectPaidOnce(order);
  });

  it("orders.transition that extends a service", async () => {
    const orders = await race(3, () =>
      stores.orders.insertOnce(anOrder({ service: month, customerIdentity: unique("c-") }), anEntry()),
    );
    ran();
    const [first, second, third] = orders;
    for (const group of [[first], [second, third]])
      await race(group.length, (n) => move(group[n] ?? anOrder(), purchase()));
    expect(ran()).toEqual(["order_transition_extending", "order_transition_extending_batched"]);
    for (const order of orders) {
      await expectPaidOnce(order);
      const services = await expectOk(stores.services.list(order.appId, order.customerIdentity));
      expect(services.map(({ expireTime }) => expireTime)).toEqual([FIXTURE_TIME + 1_000 + 30 * DAY]);
    }
  });
});

it("a batch extends a service for each of its two orders", async () => {
  const customerIdentity = unique("c-");
  const orders = [
    await made({ service: month, customerIdentity }),
    await made({ service: month, customerIdentity }),
  ];
  ran();
  const results = await race(2, (n) => move(orders[n] ?? anOrder(), purchase()));
  expect(results.every((result) => result?.moved)).toBe(true);
  expect(ran()).toEqual(["order_transition_extending_batched", "order_transition_extending"]);
  const [service] = await expectOk(stores.services.list("app_1", customerIdentity));
  expect(service?.expireTime).toBe(FIXTURE_TIME + 1_000 + 60 * DAY);
});

it("a batch returns undefined for an unknown order", async () => {
  const order = await made();
  const results = await race(2, (n) => move(n === 0 ? anOrder() : order));
  expect(results).toMatchObject([undefined, { moved: true }]);
});

it("only the call for an order that a transaction has locked waits", async () => {
  const [locked, free] = [await made(), await made()];
  const row = { table: tablesOf(schema).orders, where: `biz_no = '${locked.bizNo}'` };
  await expectOnlyFirstWaits(row, locked, free, aPayment);
});

it("only the call for a service that a transaction has locked waits", async () => {
  const customerIdentity = unique("c-");
  const order = (buyer: string) => made({ service: month, customerIdentity: buyer });
  await expectOk(move(await order(customerIdentity), purchase()));
  const [locked, free] = [await order(customerIdentity), await order(unique("c-"))];
  const row = { table: tablesOf(schema).services, where: `customer_identity = '${customerIdentity}'` };
  await expectOnlyFirstWaits(row, locked, free, purchase);
});

it("only the call for a delivery that a handler's transaction has locked waits", async () => {
  await expectOk(stores.eventDeliveries.registerHandler("ledger", FIXTURE_TIME));
  const [locked, free] = [await made(), await made()];
  expect(await expectOk(stores.orders.record(locked, anAlarm()))).toBe(true);
  const row = { table: tablesOf(schema).event_deliveries, where: `biz_no = '${locked.bizNo}'` };
  await expectOnlyFirstWaits(row, locked, free, aPayment);
});

it("on a cluster, only the call for a delivery that a handler's transaction has locked waits", async () => {
  ({ sql, schema, stores, ran } = await recordedStores({ distributed: true }));
  await expectOk(stores.eventDeliveries.registerHandler("ledger", FIXTURE_TIME));
  const [locked, free] = [await made(), await made()];
  expect(await expectOk(stores.orders.record(locked, anAlarm()))).toBe(true);
  const row = { table: tablesOf(schema).event_deliveries, where: `biz_no = '${locked.bizNo}'` };
  await expectOnlyFirstWaits(row, locked, free, aPayment);
});

it("a batch makes its events due for every handler", async () => {
  const names = ["ledger", "mail"];
  for (const name of names) await expectOk(stores.eventDeliveries.registerHandler(name, FIXTURE_TIME));
  const orders = await race(3, () => stores.orders.insertOnce(anOrder(), anEntry()));
  ran();
  await race(3, (n) => move(orders[n] ?? anOrder()));
  expect(ran()).toEqual(["order_transition_batched"]);
  for (const { appId, bizNo } of orders)
    for (const handler of names)
      expect(await expectOk(stores.eventDeliveries.find({ appId, bizNo, handler }))).toMatchObject({
        lastSeq: 2,
        dueAt: FIXTURE_TIME + 1_000,
      });
});

it("a batch moves an order even if another call appended to its timeline during the statement", async () => {
  const [first, second] = [await made(), await made()];
  ran();
  const results = await withBlockedStatement(
    sql,
    { schema, table: tablesOf(schema).orders, column: "biz_no", value: first.bizNo },
    () => race(2, (n) => move(n === 0 ? first : second)),
    async () => expect(await expectOk(stores.orders.record(second, anAlarm()))).toBe(true),
  );
  expect(results).toMatchObject([{ moved: true }, { moved: true }]);
  expect(ran().filter((method) => method.startsWith("order_transition"))).toEqual([
    "order_transition_batched",
    "order_transition",
  ]);
  for (const order of [first, second]) await expectPaidOnce(order);
  expect(await expectOk(stores.orders.timeline(second))).toHaveLength(3);
});

it("the batches of two hosts extend every service completely, without deadlocks", async () => {
  const deadlocks: string[] = [];
  const client = reportingDeadlocks(sql, (name) => deadlocks.push(name));
  const hosts = Array.from({ length: HOSTS }, () =>
    postgresStores({ sql: client, schema, credentialKeys: [KEY] }),
  );
  const customers = Array.from({ length: CUSTOMERS }, () => unique("c-"));
  const orders = await race(CUSTOMERS * PURCHASES, (n) =>
    stores.orders.insertOnce(
      anOrder({ service: month, customerIdentity: customers[n % CUSTOMERS] ?? "" }),
      anEntry(),
    ),
  );
  // Both hosts are notified of every payment, in opposite order.
  const calls = hosts.flatMap((host, nth) =>
    (nth === 0 ? orders : orders.toReversed()).map((order) => ({ host, order })),
  );
  const results = await Promise.all(
    calls.map(({ host, order }) => expectOk(host.orders.transition(order, purchase()))),
  );
  expect(results.filter((result) => result?.moved)).toHaveLength(orders.length);
  expect(deadlocks).toEqual([]);
  for (const order of orders) await expectPaidOnce(order);
  for (const customerIdentity of customers) {
    const services = await expectOk(stores.services.list("app_1", customerIdentity));
    expect(services.map(({ expireTime }) => expireTime)).toEqual([
      FIXTURE_TIME + 1_000 + PURCHASES * month.durationMs,
    ]);
  }
});
