import {
  aSession,
  AT,
  expectOk,
  orderStoreContract,
  race,
  sessionStoreContract,
} from "@tillkit/contract-tests";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import type { SqlClient } from "./sql-client.js";
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

const openDatabase = (client: () => Promise<SqlClient>): (() => TestSchema) => {
  let database: TestSchema;
  beforeAll(async () => {
    database = await testSchema(await client());
  }, 60_000);
  afterAll(() => database.close());
  return () => database;
};

describe("on a server", () => {
  const database = openDatabase(async () => serverClient({ max: 16 }));

  orderStoreContract("PostgreSQL, in groups", () => database().open());
  sessionStoreContract("PostgreSQL, in groups", async () => {
    const opened = await database().open();
    return { port: opened.port.sessions, close: () => opened.close() };
  });
});

describe("embedded", () => {
  const database = openDatabase(embeddedClient);

  orderStoreContract("PGlite, in groups", () => database().open());

  // The other promises of sessions are kept by statements that serve one call, and proved where these are.
  it("tells live sessions from others", async () => {
    const { sessions } = (await database().open()).port;
    const [live, expired] = [aSession(), aSession({ expiresAt: AT })];
    for (const session of [live, expired]) await expectOk(sessions.open(session, 5));
    const asked = [expired, live, aSession()];
    expect(await race(asked.length, (n) => sessions.isLive(asked[n] ?? live, AT))).toEqual([
      false,
      true,
      false,
    ]);
  });
});
