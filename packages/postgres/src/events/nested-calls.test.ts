import {
  anEntry,
  anOrder,
  aPayment,
  expectOk,
  FIXTURE_TIME,
  manyCases,
  MINUTE,
} from "@tillkit/contract-tests";
import { deliverDueEvents, getOrder, orThrow } from "@tillkit/core";
import { memoryPorts } from "@tillkit/memory";
import { expect, it } from "vitest";
import { postgresStores } from "../stores/postgres-stores.js";
import type { SqlClient } from "../sql/sql-client.js";
import { embeddedClient, KEY, serverClient, serverSchema } from "../testing/databases.js";
import { transactionalHandler } from "./transactional-handler.js";

const ORDERS = 12;
const NAMES = ["ledger", "activation"];

/** Opens a host on `client` with paid orders and two handlers that call `getOrder`. */
async function openShop(client: SqlClient, orderCount = ORDERS) {
  const { sql, schema } = await serverSchema(client);
  const ports = {
    ...memoryPorts(),
    ...postgresStores({ sql, schema, credentialKeys: [KEY] }),
    clock: { now: () => FIXTURE_TIME + MINUTE, sleep: async () => undefined },
  };
  for (const name of NAMES) await expectOk(ports.eventDeliveries.registerHandler(name, FIXTURE_TIME));
  for (let nth = 0; nth < orderCount; nth += 1) {
    const order = await expectOk(ports.orders.insertOnce(anOrder(), anEntry()));
    await expectOk(ports.orders.transition(order, aPayment()));
  }
  const seen: string[] = [];
  const handlers = NAMES.map((name) =>
    transactionalHandler({
      name,
      sql,
      schema,
      handle: async ({ appId, bizNo, customerIdentity }, transaction) => {
        await transaction.query("select 1");
        const { paymentStatus } = await orThrow(getOrder(ports, appId, { bizNo, customerIdentity }));
        seen.push(`${name} ${bizNo} ${paymentStatus}`);
      },
    }),
  );
  const rounds = () =>
    Promise.all(
      handlers.map((handler) =>
        expectOk(deliverDueEvents(ports, handler, { limit: ORDERS, startTimer: () => () => undefined })),
      ),
    );
  return { ports, handlers, seen, rounds };
}

it("handlers can call a store, even with more deliveries at once than connections", async () => {
  const { seen, rounds } = await openShop(serverClient({ max: 2 }));
  const all = { orders: ORDERS, delivered: ORDERS, failed: 0 };
  expect(await rounds()).toEqual([all, all]);
  expect(new Set(seen).size).toBe(2 * ORDERS);
  expect(seen.every((line) => line.endsWith(" PAID"))).toBe(true);
}, 30_000);

it.each([
  { storage: "a pool of one connection", open: async () => serverClient({ max: 1 }) },
  ...(manyCases() ? [{ storage: "PGlite", open: embeddedClient }] : []),
])(
  "refuses at once a handler's call that would wait for ever for the handler's own connection: $storage",
  async ({ open }) => {
    const { ports, seen, rounds } = await openShop(await open(), 1);
    const none = { orders: 1, delivered: 0, failed: 1 };
    expect(await rounds()).toEqual([none, none]);
    expect(seen).toEqual([]);
    const [failed] = await expectOk(
      ports.eventDeliveries.list({ handler: "ledger", state: "waiting", limit: 1 }),
    );
    expect(failed?.failure).toMatch(/storage\.misconfigured.*`max` of at least/);
    // A call outside of the transaction succeeds.
    expect(await expectOk(ports.orders.find({ appId: "app_1", bizNo: "unknown" }))).toBeUndefined();
  },
);

it.each([
  { max: 10, at: 9 },
  { max: 2, at: 1 },
  { max: 1, at: 1 },
])("a handler claims at most $at orders at once with a pool of $max", async ({ max, at }) => {
  const { handlers } = await openShop(serverClient({ max }), 0);
  expect(handlers.map(({ maxConcurrent }) => maxConcurrent)).toEqual([at, at]);
});
