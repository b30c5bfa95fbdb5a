import { storesContract } from "@tillkit/contract-tests";
import { afterAll, beforeAll } from "vitest";
import { embeddedClient, type TestSchema, testSchema } from "./testing/databases.js";

let database: TestSchema;
beforeAll(async () => {
  database = await testSchema(await embeddedClient());
}, 60_000);
afterAll(() => database.close());

storesContract("PGlite", () => database.open());
