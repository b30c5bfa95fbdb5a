import {
  codeStoreContract,
  type Opened,
  orderStoreContract,
  quotaStoreContract,
  refundStoreContract,
  serviceStoreContract,
  sessionStoreContract,
} from "@tillkit/contract-tests";
import type { Stores } from "@tillkit/core";
import { afterAll, beforeAll } from "vitest";
import { serverClient, type TestSchema, testSchema } from "./testing/databases.js";

// The statements for a cluster, on one server. `npm run test:citus` runs them on a cluster.
let database: TestSchema;
beforeAll(async () => {
  database = await testSchema(serverClient({ max: 16 }), undefined, { distributed: true });
}, 60_000);
afterAll(() => database.close());

const open =
  <T extends keyof Stores>(store: T) =>
  async (): Promise<Opened<Stores[T]>> => {
    const opened = await database.open();
    return { port: opened.port[store], close: () => opened.close() };
  };

orderStoreContract("PostgreSQL as a cluster", () => database.open());
refundStoreContract("PostgreSQL as a cluster", () => database.open());
serviceStoreContract("PostgreSQL as a cluster", () => database.open());
codeStoreContract("PostgreSQL as a cluster", open("codes"));
quotaStoreContract("PostgreSQL as a cluster", open("quotas"));
sessionStoreContract("PostgreSQL as a cluster", open("sessions"));
