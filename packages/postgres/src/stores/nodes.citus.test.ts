import { anEntry, anOrder, aPayment, expectOk } from "@tillkit/contract-tests";
import { errorCode } from "@tillkit/core/errors";
import pg from "pg";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { inspectNodes } from "../admin/distribution/inspect-nodes.js";
import { migrate } from "../admin/migrate.js";
import { nodeUrl } from "../client/node-url.js";
import { pgClient } from "../client/pg-client.js";
import { postgresStores } from "./postgres-stores.js";
import { integer, text } from "../sql/row.js";
import type { NodeAddress, SqlClient } from "../sql/sql-client.js";
import { statement } from "../sql/statement.js";
import { storeClient } from "../cluster/store-client.js";
import { quoted, tablesOf } from "../sql/tables.js";
import { citusClient, distributeSchema } from "../testing/citus.js";
import { freshSchema, KEY } from "../testing/databases.js";

const schema = freshSchema();
const { orders } = tablesOf(schema);
const url = process.env["TEST_CITUS_URL"] ?? "";
const PORT = statement("test_port", "select inet_server_port() as port");
const PLACES = statement(
  "test_places",
  `select nodename as host, nodeport as port from pg_dist_node where groupid <> 0 order by nodeid`,
);
let sql: SqlClient;
let workers: readonly NodeAddress[];
beforeAll(async () => {
  sql = citusClient();
  await expectOk(migrate({ sql, schema }));
  await distributeSchema(quoted(schema));
  workers = (await sql.query(PLACES, [])).map((row) => ({
    host: text(row, "host"),
    port: integer(row, "port"),
  }));
});
afterAll(async () => {
  await sql.script(`drop schema ${quoted(schema)} cascade`);
  await sql.close();
});

/** Opens a client whose connections to nodes lead to `addressOf`. */
function openClient(addressOf: (node: NodeAddress) => NodeAddress = (node) => node) {
  const asked: NodeAddress[] = [];
  const client = pgClient(new pg.Pool({ connectionString: url, max: 4 }), {
    nodePool: (node) => {
      asked.push(node);
      return new pg.Pool({ connectionString: nodeUrl(url, addressOf(node)), max: 4 });
    },
    onNodeUnavailable: () => undefined,
  });
  onTestFinished(() => client.close());
  return { client, asked, stores: postgresStores({ sql: client, schema, credentialKeys: [KEY] }) };
}

/** Creates, pays and reads an order. */
async function useOrder({ orders: store }: ReturnType<typeof openClient>["stores"]) {
  const order = anOrder();
  await expectOk(store.insertOnce(order, anEntry()));
  await expectOk(store.transition(order, aPayment()));
  return (await expectOk(store.find(order)))?.paymentStatus;
}

describe("direct connections to the nodes", () => {
  it("lead to the node that has the row", async () => {
    const { client } = openClient();
    const place = statement(
      "test_place",
      `select nodeport as port from pg_dist_node join pg_dist_placement using (groupid)
       where shardid = get_shard_id_for_distribution_column($1::text::regclass, $2::text)`,
    );
    for (const bizNo of ["b-1", "b-2", "b-3", "b-4", "b-5"]) {
      const [expected] = await sql.query(place, [orders, bizNo]);
      const [found] = await storeClient(client, schema).near(orders, bizNo).query(PORT, []);
      expect(found).toEqual(expected);
    }
  });

  it("give the same results on a node that does not have the row", async () => {
    const { stores, asked } = openClient((node) => workers.find(({ port }) => port !== node.port) ?? node);
    for (let run = 0; run < 8; run += 1) expect(await useOrder(stores)).toBe("PAID");
    expect(asked.length).toBeGreaterThan(0);
  });

  it("are replaced by the coordinator if no node can be reached", async () => {
    const { stores, asked } = openClient((node) => ({ ...node, port: 1 }));
    for (let run = 0; run < 8; run += 1) expect(await useOrder(stores)).toBe("PAID");
    expect(asked.length).toBeGreaterThan(0);
  });

  it("are checked by inspectNodes, which finds a node that cannot be reached, and a node at another address", async () => {
    const open = (node: NodeAddress) =>
      pgClient(new pg.Pool({ connectionString: nodeUrl(url, node), max: 1 }));
    expect(await expectOk(inspectNodes(sql, open))).toEqual([]);
    const [first, second] = workers;
    const found = await expectOk(
      inspectNodes(sql, (node) => open(node.port === first?.port ? { ...node, port: 1 } : (first ?? node))),
    );
    expect(found?.map(({ kind, subject }) => `${kind} ${subject}`)).toEqual([
      `unreachable-node ${first?.host}:${first?.port}`,
      `wrong-node ${second?.host}:${second?.port}`,
    ]);
  });

  it("end a deadlock between transactions that began on different nodes", async () => {
    const { client, stores } = openClient();
    const held = await Promise.all(
      Array.from({ length: 16 }, async () => {
        const order = anOrder();
        await expectOk(stores.orders.insertOnce(order, anEntry()));
        const [row] = await storeClient(client, schema).near(orders, order.bizNo).query(PORT, []);
        return { bizNo: order.bizNo, port: row === undefined ? 0 : integer(row, "port") };
      }),
    );
    const [first, second] = workers.map(({ port }) => held.find((one) => one.port === port)?.bizNo ?? "");
    const lock = statement(
      "test_lock_order",
      `update ${orders} set amount_cents = amount_cents where biz_no = $1`,
    );
    let release = (): void => undefined;
    const bothHold = new Promise<void>((resolve) => (release = resolve));
    let [holding, runs] = [0, 0];
    const lockBoth = (one = "", other = "") =>
      storeClient(client, schema)
        .near(orders, one)
        .transaction(async (transaction) => {
          runs += 1;
          await transaction.query(lock, [one]);
          holding += 1;
          if (holding === 2) release();
          await bothHold;
          await transaction.query(lock, [other]);
        });
    const ends = await Promise.allSettled([lockBoth(first, second), lockBoth(second, first)]);
    expect(runs).toBeGreaterThan(2);
    // The transactions may deadlock again when they are repeated, and then fail.
    const failed = ends.flatMap((end) => (end.status === "rejected" ? [errorCode(end.reason)] : []));
    for (const code of failed) expect(code).toBe("40P01");
    await lockBoth(first, second);
  });
});
