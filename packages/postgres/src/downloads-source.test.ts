import { aCount, expectFailure, expectOk } from "@tillkit/contract-tests";
import { expect, it, onTestFinished } from "vitest";
import { postgresDownloadsSource } from "./downloads-source.js";
import { migrate } from "./migrate.js";
import type { SqlClient } from "./sql-client.js";
import { freshSchema, serverClient } from "./testing/databases.js";

it("fails rather than writes a part when a client runs its transaction again", async () => {
  const sql = serverClient();
  const schema = freshSchema();
  onTestFinished(async () => {
    await sql.script(`drop schema "${schema.replaceAll('"', '""')}" cascade`);
    await sql.close();
  });
  await expectOk(migrate({ sql, schema }));
  const undoing: SqlClient = {
    ...sql,
    transaction: async (work) => {
      const undone = sql.transaction(async (queries) => {
        await work(queries);
        throw new Error("deadlock");
      });
      await expect(undone).rejects.toThrow("deadlock");
      return sql.transaction(work);
    },
  };
  const once = (function* () {
    yield [aCount()];
  })();
  const failed = await expectFailure(postgresDownloadsSource(undoing, schema).upsert(once));
  expect(failed).toMatchObject({ name: "storage.unavailable" });
  const source = postgresDownloadsSource(sql, schema);
  expect(await expectOk(source.read("app_1", "2000-01-01", "2999-12-31"))).toEqual([]);
});
