import { orderStoreContract, sessionStoreContract } from "@tillkit/contract-tests";
import { afterAll, beforeAll, describe, vi } from "vitest";
import { embeddedClient, serverClient, type TestSchema, testSchema } from "./testing/databases.js";

// Here every call goes through the statement for several, also when it is by itself.
vi.mock(import("./grouped.js"), async (original) => {
  const real = await original();
  return {
    grouped: (verb, grouping) =>
      real.grouped(
        { ...verb, one: async (ask) => (await verb.many([ask])).get(0) ?? verb.one(ask) },
        grouping,
      ),
  };
});

describe.each([
  ["PostgreSQL, in groups", async () => serverClient({ max: 16 })],
  ["PGlite, in groups", embeddedClient],
])("%s", (adapter, client) => {
  let database: TestSchema;
  beforeAll(async () => {
    database = await testSchema(await client());
  }, 60_000);
  afterAll(() => database.close());

  orderStoreContract(adapter, () => database.open());
  sessionStoreContract(adapter, async () => {
    const opened = await database.open();
    return { port: opened.port.sessions, close: () => opened.close() };
  });
});
