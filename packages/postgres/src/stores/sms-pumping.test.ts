import { caseCount, manyCases, smsPumpingContract } from "@tillkit/contract-tests";
import { memoryPorts } from "@tillkit/memory";
import { afterAll, beforeAll, describe } from "vitest";
import type { SqlClient } from "../sql/sql-client.js";
import { embeddedClient, serverClient, type TestSchema, testSchema } from "../testing/databases.js";

// By default PGlite is left out, because it runs the same statements.
const DATABASES: readonly (readonly [name: string, open: () => Promise<SqlClient>])[] = [
  ["PostgreSQL", async () => serverClient()],
  ...(manyCases() ? [["PGlite", embeddedClient] as const] : []),
];

describe.each(DATABASES)("%s", (name, openClient) => {
  let database: TestSchema;
  beforeAll(async () => {
    database = await testSchema(await openClient());
  });
  afterAll(() => database.close());

  const open = async () => {
    const opened = await database.open();
    return { port: { ...memoryPorts(), ...opened.port }, close: () => opened.close() };
  };
  smsPumpingContract(name, open, {
    requests: caseCount({ few: 1_000, many: 2_000 }),
    from: 10,
    hours: caseCount({ few: 2, many: 4 }),
    scale: 1,
  });
});
