import { randomBytes } from "node:crypto";
import {
  misconfiguredStorageContract,
  storesContract,
  unreadableRowsContract,
} from "@tillkit/contract-tests";
import { afterAll, beforeAll } from "vitest";
import { serverClient, type TestSchema, testSchema } from "../testing/databases.js";

// The stores use a role that has only the generated grants.
const role = `tillkit_app_${randomBytes(6).toString("hex")}`;
let database: TestSchema;
beforeAll(async () => {
  const owner = serverClient({ max: 2 });
  await owner.script(`create role ${role} login password '${role}'`);
  database = await testSchema(owner, { role, sql: serverClient({ user: role, max: 16 }) });
});
afterAll(async () => {
  await database.close();
  const admin = serverClient({ max: 1 });
  await admin.script(`drop role ${role}`);
  await admin.close();
});

storesContract("PostgreSQL", () => database.open());
unreadableRowsContract("PostgreSQL", () => database.open());
misconfiguredStorageContract("PostgreSQL", () => database.open());
