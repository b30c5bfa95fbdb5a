import {
  codeStoreContract,
  type Opened,
  orderStoreContract,
  quotaStoreContract,
  sessionStoreContract,
} from "@tillkit/contract-tests";
import type { Stores } from "@tillkit/core";
import { afterAll, beforeAll } from "vitest";
import { serverClient, type TestSchema, testSchema } from "./testing/databases.js";

// With `{ maxBatchSize: 1 }`, and between hosts, concurrent calls compete only inside the database.
let database: TestSchema;
beforeAll(async () => {
  database = await testSchema(serverClient({ max: 16 }), undefined, {
    batching: { maxBatchSize: 1 },
  });
}, 60_000);
afterAll(() => database.close());

const open =
  <T extends keyof Stores>(store: T) =>
  async (): Promise<Opened<Stores[T]>> => {
    const opened = await database.open();
    return { port: opened.port[store], close: () => opened.close() };
  };

orderStoreContract("PostgreSQL without batches", () => database.open());
codeStoreContract("PostgreSQL without batches", open("codes"));
quotaStoreContract("PostgreSQL without batches", open("quotas"));
sessionStoreContract("PostgreSQL without batches", open("sessions"));
