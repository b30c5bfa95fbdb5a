import { listen, manyCases, requestFormsContract } from "@tillkit/contract-tests";
import { memoryPorts } from "@tillkit/memory";
import { nodeListener } from "@tillkit/node";
import { afterAll, beforeAll, describe } from "vitest";
import type { SqlClient } from "../sql/sql-client.js";
import { embeddedClient, serverClient, type TestSchema, testSchema } from "../testing/databases.js";

// By default PGlite is left out, because it runs the same statements.
const DATABASES: readonly (readonly [name: string, open: () => Promise<SqlClient>])[] = [
  ["PostgreSQL", async () => serverClient()],
  ...(manyCases() ? [["PGlite", embeddedClient] as const] : []),
];

describe.each(DATABASES)("over %s", (name, openClient) => {
  let database: TestSchema;
  beforeAll(async () => {
    database = await testSchema(await openClient());
  });
  afterAll(() => database.close());

  requestFormsContract(
    name,
    ({ payments, metrics, notifications }) =>
      listen(nodeListener({ "/pay": payments, "/wallets": notifications, "/": metrics })),
    async () => {
      const opened = await database.open();
      return { port: { ...memoryPorts(), ...opened.port }, close: () => opened.close() };
    },
  );
});
