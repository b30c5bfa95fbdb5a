import { anAlarm, expectOk } from "@tillkit/contract-tests";
import { expect, it } from "vitest";
import { postgresStores } from "../stores/postgres-stores.js";
import type { SqlClient } from "../sql/sql-client.js";
import { byDistribution, storeClient } from "./store-client.js";
import { KEY, serverClient, serverSchema } from "../testing/databases.js";

/** A client whose catalogue answers come from `answer`. Counts its queries. */
function catalogue(answer: () => Promise<boolean>) {
  let queries = 0;
  const sql: SqlClient = {
    query: async ({ name }) => {
      queries += 1;
      return name.startsWith("citus_distributed") ? [{ distributed: await answer() }] : [{ present: true }];
    },
    script: async () => undefined,
    transaction: (work) => work(sql),
    close: async () => undefined,
  };
  return { sql, queries: () => queries };
}

it("a store client finds no distribution on a server without the extension citus", async () => {
  const { sql, schema } = await serverSchema();
  expect(await storeClient(sql, schema).isDistributed()).toBe(false);
});

it.each([true, false])("a store client reads the catalogue once: distributed %s", async (distributed) => {
  const { sql, queries } = catalogue(async () => distributed);
  const client = storeClient(sql, "tillkit");
  expect(await Promise.all([client.isDistributed(), client.isDistributed()])).toEqual([
    distributed,
    distributed,
  ]);
  expect(queries()).toBe(2);
});

it("a store client reads the catalogue again after a failed read", async () => {
  let failures = 1;
  const { sql } = catalogue(async () => {
    if (failures > 0) {
      failures -= 1;
      throw new Error("Connection terminated unexpectedly");
    }
    return true;
  });
  const client = storeClient(sql, "tillkit");
  await expect(client.isDistributed()).rejects.toThrow("Connection terminated");
  expect(await client.isDistributed()).toBe(true);
});

it("a store client reads the catalogue before a transaction that takes the only connection", async () => {
  const { sql, schema } = await serverSchema(serverClient({ max: 1 }));
  const { orders } = postgresStores({ sql, schema, credentialKeys: [KEY] });
  expect(await expectOk(orders.record({ appId: "app_1", bizNo: "none" }, anAlarm()))).toBe(false);
});

it("a store client runs no query if the host sets whether the tables are distributed", async () => {
  const { sql, queries } = catalogue(async () => false);
  const client = storeClient(sql, "tillkit", true);
  const call = byDistribution(client, { server: async () => "server", cluster: async () => "cluster" });
  expect(await call(undefined)).toBe("cluster");
  expect(queries()).toBe(0);
});
