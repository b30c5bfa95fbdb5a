import {
  codeStoreContract,
  orderStoreContract,
  quotaStoreContract,
  sessionStoreContract,
} from "@tillkit/contract-tests";
import { afterAll, beforeAll, describe } from "vitest";
import { openStoreOf, serverClient, type TestSchema, testSchema } from "../testing/databases.js";

// With `{ maxBatchSize: 1 }`, concurrent calls compete only inside the database, like calls of
// different hosts.
describe("one statement per call", { tags: "slow" }, () => {
  let database: TestSchema;
  beforeAll(async () => {
    database = await testSchema(serverClient({ max: 16 }), undefined, {
      batching: { maxBatchSize: 1 },
    });
  });
  afterAll(() => database.close());

  const open = openStoreOf(() => database);

  orderStoreContract("PostgreSQL without batches", () => database.open());
  codeStoreContract("PostgreSQL without batches", open("codes"));
  quotaStoreContract("PostgreSQL without batches", open("quotas"));
  sessionStoreContract("PostgreSQL without batches", open("sessions"));
});
