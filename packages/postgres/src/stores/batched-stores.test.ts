import {
  codeStoreContract,
  expectOk,
  manyCases,
  orderStoreContract,
  payToolStoreContract,
  quotaStoreContract,
  sessionStoreContract,
} from "@tillkit/contract-tests";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import type { SqlClient } from "../sql/sql-client.js";
import {
  embeddedClient,
  openStoreOf,
  serverClient,
  type TestSchema,
  testSchema,
} from "../testing/databases.js";

// Test files share modules. The reset gives this file its own copies, with the mock below.
const groups = vi.hoisted(() => {
  vi.resetModules();
  return { asked: 0 };
});
afterAll(() => {
  vi.doUnmock("../batching/batched.js");
  vi.resetModules();
});

// In this file every call uses the batch statement, even a single call.
vi.mock(import("../batching/batched.js"), async (original) => {
  const real = await original();
  return {
    batched: (method, batching) =>
      real.batched(
        {
          ...method,
          runOne: async (call) => {
            groups.asked += 1;
            return (await method.runBatch([call])).get(0) ?? method.runOne(call);
          },
        },
        batching,
      ),
  };
});

const openDatabase = (client: () => Promise<SqlClient>): (() => TestSchema) => {
  let database: TestSchema;
  beforeAll(async () => {
    database = await testSchema(await client());
  });
  afterAll(() => database.close());
  return () => database;
};

/** Runs the contract of every store with batched methods. */
const batchedContracts = (adapter: string, database: () => TestSchema): void => {
  const open = openStoreOf(database);
  orderStoreContract(adapter, () => database().open());
  payToolStoreContract(adapter, async () => {
    const { port, ...opened } = await database().open();
    return { ...opened, port: port.payTools };
  });
  codeStoreContract(adapter, open("codes"));
  quotaStoreContract(adapter, open("quotas"));
  sessionStoreContract(adapter, open("sessions"));
};

describe("on a server", { tags: "slow" }, () => {
  batchedContracts(
    "PostgreSQL, in batches",
    openDatabase(async () => serverClient({ max: 16 })),
  );
});

describe("embedded", () => {
  const database = openDatabase(embeddedClient);

  // PGlite is slow, and runs the same statements as the server.
  if (manyCases()) batchedContracts("PGlite, in batches", database);

  it("runs the batch statement also for a single call", async () => {
    const { orders } = (await database().open()).port;
    const before = groups.asked;
    await expectOk(orders.find({ appId: "app_1", bizNo: "none" }));
    expect(groups.asked).toBe(before + 1);
  });
});
