import {
  anAlarm,
  anEntry,
  anOrder,
  aPayment,
  expectOk,
  FIXTURE_TIME,
  MINUTE,
  race,
} from "@tillkit/contract-tests";
import { deliverDueEvents, type EventHandler, eventHandler, type Order } from "@tillkit/core";
import { replayEvents } from "@tillkit/core/operators";
import { memoryPorts } from "@tillkit/memory";
import { expect, it } from "vitest";
import { postgresStores } from "../stores/postgres-stores.js";
import { text } from "../sql/row.js";
import { statement } from "../sql/statement.js";
import { KEY, serverSchema } from "../testing/databases.js";
import { reportingDeadlocks } from "../testing/reporting-deadlocks.js";
import { quoted } from "../sql/tables.js";
import { transactionalHandler } from "./transactional-handler.js";

const ORDERS = 24;
const ALARMS = 3;
const REPLAYS = 20;
const REMOVALS = 10;

it("two hosts deliver every event while orders change and handlers are replayed and removed, without deadlocks", async () => {
  const { sql, schema } = await serverSchema();
  const effects = `${quoted(schema)}.effects`;
  await sql.script(
    `create table ${effects} (place bigint generated always as identity, event_id text not null)`,
  );
  const deadlocks: string[] = [];
  const client = reportingDeadlocks(sql, (name) => deadlocks.push(name));
  const clock = { now: () => FIXTURE_TIME + MINUTE, sleep: async () => undefined };
  const hosts = [1, 2].map(() => ({
    ...memoryPorts(),
    ...postgresStores({ sql: client, schema, credentialKeys: [KEY] }),
    clock,
  }));
  const [ports] = hosts;
  if (ports === undefined) throw new Error("There is no host.");
  const received: string[] = [];
  const handlers: readonly EventHandler[] = [
    eventHandler({ name: "journal", handle: async ({ id }) => received.push(id) }),
    transactionalHandler({
      name: "ledger",
      sql: client,
      schema,
      handle: ({ id }, transaction) =>
        transaction.query(`insert into ${effects} (event_id) values ($1)`, [id]),
    }),
    eventHandler({ name: "removed", handle: async () => undefined }),
  ];
  for (const { name } of handlers) await expectOk(ports.eventDeliveries.registerHandler(name, FIXTURE_TIME));
  const orders = await race(ORDERS, () => ports.orders.insertOnce(anOrder(), anEntry()));

  let changing = true;
  const deliver = async (host: typeof ports, handler: EventHandler): Promise<void> => {
    const options = { limit: 10, startTimer: () => () => undefined };
    for (;;) {
      const isLast = !changing;
      const { orders: claimed } = await expectOk(deliverDueEvents(host, handler, options));
      if (isLast && claimed === 0) return;
    }
  };
  const change = async (order: Order): Promise<void> => {
    await expectOk(ports.orders.transition(order, aPayment()));
    for (let nth = 0; nth < ALARMS; nth += 1) await expectOk(ports.orders.record(order, anAlarm()));
  };
  const replay = async (): Promise<void> => {
    for (let nth = 0; nth < REPLAYS; nth += 1) {
      const { appId = "", bizNo = "" } = orders[nth % ORDERS] ?? {};
      await expectOk(replayEvents(ports, { handler: "journal", appId, bizNo }));
    }
  };
  const remove = async (): Promise<void> => {
    for (let nth = 0; nth < REMOVALS; nth += 1) {
      await expectOk(ports.eventDeliveries.removeHandler("removed"));
      await expectOk(ports.eventDeliveries.registerHandler("removed", FIXTURE_TIME));
    }
  };
  const clean = async (): Promise<void> => {
    while (changing) await expectOk(ports.eventDeliveries.removeDelivered(FIXTURE_TIME + MINUTE, 10));
  };
  const deliveries = hosts.flatMap((host) => handlers.map((handler) => deliver(host, handler)));
  const cleaning = clean();
  await Promise.all([...orders.map(change), replay(), remove()]);
  changing = false;
  await Promise.all([...deliveries, cleaning]);

  expect(deadlocks).toEqual([]);
  const select = statement("test_effects", `select event_id from ${effects} order by place`);
  const stored = (await sql.query(select, [])).map((row) => text(row, "event_id"));
  for (const { id } of orders) {
    const events = Array.from({ length: 1 + ALARMS }, (_, nth) => `${id}-${String(nth + 2)}-0`);
    const ofOrder = (ids: readonly string[]) => ids.filter((each) => each.startsWith(`${id}-`));
    expect([...new Set(ofOrder(received))]).toEqual(events);
    expect(ofOrder(stored)).toEqual(events);
  }
});
