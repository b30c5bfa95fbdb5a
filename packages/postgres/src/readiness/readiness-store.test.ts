import { expectFailure, expectOk } from "@tillkit/contract-tests";
import { orThrow } from "@tillkit/core";
import { expect, it } from "vitest";
import { checkReadiness } from "../admin/check-readiness.js";
import { postgresReadinessStore } from "./readiness-store.js";
import { integer } from "../sql/row.js";
import type { SqlQueries } from "../sql/sql-client.js";
import { statement } from "../sql/statement.js";
import { quoted, tablesOf } from "../sql/tables.js";
import { readOnlyClient, serverClient, serverSchema } from "../testing/databases.js";

/** Returns a client like `sql` on which each statement that writes fails. */
function failingWrites(sql: SqlQueries, code: string): SqlQueries {
  return {
    query: (asked, values) =>
      asked.text.includes("insert into")
        ? Promise.reject(Object.assign(new Error("secret: s3cret"), { code }))
        : sql.query(asked, values),
    script: (script) => sql.script(script),
  };
}

it.each([
  ["25006", "storage.read-only"],
  ["53100", "storage.disk-full"],
  ["53000", "storage.out-of-memory"],
  ["53200", "storage.out-of-memory"],
  ["53400", "storage.limited"],
  ["53300", "storage.too-many-connections"],
  ["42501", "storage.misconfigured"],
  ["57P01", "storage.unavailable"],
])("checkReadiness names what is missing if a write fails with %s: %s", async (code, name) => {
  const { sql, schema } = await serverSchema();
  const failure = await expectFailure(checkReadiness(failingWrites(sql, code), schema));
  expect(failure.name).toBe(name);
  const { cause: _cause, ...shown } = { cause: undefined, ...failure };
  expect(JSON.stringify(shown)).not.toContain("s3cret");
});

it("the readiness check reports a database that is read-only, a missing migration, and a missing schema", async () => {
  const { sql, schema } = await serverSchema();
  await expectOk(checkReadiness(sql, schema));
  const refused = await expectFailure(checkReadiness(readOnlyClient(sql), schema));
  expect(refused.name).toBe("storage.read-only");
  expect("remedy" in refused && refused.remedy).toContain("new primary");
  await sql.script(`delete from ${tablesOf(schema).schema_migrations} where version = 1`);
  expect(await expectFailure(checkReadiness(sql, schema))).toMatchObject({ name: "schema.not-migrated" });
  await sql.script(`drop schema ${quoted(schema)} cascade`);
  expect(await expectFailure(postgresReadinessStore(sql, schema).write(1))).toMatchObject({
    name: "storage.misconfigured",
  });
});

it("the readiness check reports a server that has reached its limit of connections", async () => {
  const { schema } = await serverSchema();
  const refused = () =>
    Promise.reject(Object.assign(new Error("sorry, too many clients already"), { code: "53300" }));
  const full: SqlQueries = { query: refused, script: refused };
  expect(await expectFailure(checkReadiness(full, schema))).toMatchObject({
    name: "storage.too-many-connections",
  });
});

it("the readiness check needs space on the disk of the database for each write, with any settings", async () => {
  const { sql, schema } = await serverSchema();
  const { readiness } = tablesOf(schema);
  await expectOk(postgresReadinessStore(sql, schema).write(1));
  const failed = sql.transaction(async (transaction) => {
    await transaction.script("set local work_mem = '1GB'; set local temp_file_limit = '64kB'");
    return orThrow(postgresReadinessStore(transaction, schema).write(2));
  });
  await expect(failed).rejects.toThrow("temp_file_limit");
  await expect(failed).rejects.toMatchObject({
    cause: { name: "storage.limited", cause: { code: "53400" } },
  });
  const size = statement("test_readiness_size", `select pg_relation_size('${readiness}') as bytes`);
  const [row] = await sql.query(size, []);
  expect(row === undefined ? undefined : integer(row, "bytes")).toBe(8_192);
});

it("the readiness check keeps the settings of its session", async () => {
  const { sql, schema } = await serverSchema(serverClient({ max: 1 }));
  await sql.script("set work_mem = '5MB'");
  await expectOk(postgresReadinessStore(sql, schema).write(1));
  const shown = statement("test_work_mem", "select current_setting('work_mem') as work_mem");
  expect(await sql.query(shown, [])).toEqual([{ work_mem: "5MB" }]);
});

it("the readiness store keeps one row, with the time of the last write", async () => {
  const { sql, schema } = await serverSchema();
  const store = postgresReadinessStore(sql, schema);
  for (const now of [5, 7]) await expectOk(store.write(now));
  const rows = await sql.query(
    statement("test_readiness", `select written_ms from ${tablesOf(schema).readiness}`),
    [],
  );
  expect(rows.map((row) => integer(row, "written_ms"))).toEqual([7]);
});
