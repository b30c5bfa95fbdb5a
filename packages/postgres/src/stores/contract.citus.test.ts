import { randomBytes } from "node:crypto";
import {
  misconfiguredStorageContract,
  storesContract,
  unreadableRowsContract,
} from "@tillkit/contract-tests";
import { afterAll, beforeAll } from "vitest";
import { citusClient, distributeSchema } from "../testing/citus.js";
import { type TestSchema, testSchema } from "../testing/databases.js";

// The stores use a role that has only the generated grants.
const role = `tillkit_app_${randomBytes(6).toString("hex")}`;
let database: TestSchema;
beforeAll(async () => {
  const owner = citusClient({ max: 2 });
  await owner.script(`create role ${role} login password '${role}'`);
  const application = { role, sql: citusClient({ user: role, max: 16, stores: true }) };
  database = await testSchema(owner, application, {}, distributeSchema);
}, 300_000);
afterAll(async () => {
  await database.close();
  const admin = citusClient({ max: 1 });
  await admin.script(`drop role ${role}`);
  await admin.close();
});

storesContract("Citus", () => database.open());
unreadableRowsContract("Citus", () => database.open());
misconfiguredStorageContract("Citus", () => database.open());
