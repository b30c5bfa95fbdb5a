import { storesContract, unreadableRowsContract } from "@tillkit/contract-tests";
import { afterAll, beforeAll } from "vitest";
import { serverClient, type TestSchema, testSchema } from "../testing/databases.js";
import { pooledClient, pooledRole } from "../testing/pgbouncer.js";

// The owner connects directly. The stores use a role that has only the generated grants.
let database: TestSchema;
beforeAll(async () => {
  database = await testSchema(serverClient({ max: 2 }), { role: pooledRole(), sql: pooledClient() });
});
afterAll(() => database.close());

storesContract("PgBouncer", () => database.open());
unreadableRowsContract("PgBouncer", () => database.open());
