import { describe, expect, it, onTestFinished } from "vitest";
import { inspectSchema } from "./inspect-schema.js";
import { migrate } from "./migrate.js";
import { planMigrations } from "./plan-migrations.js";
import { embeddedClient, freshSchema } from "./testing/databases.js";

async function database() {
  const sql = await embeddedClient();
  onTestFinished(() => sql.close());
  await sql.script("create role owner_role; create role host_role");
  return { sql, schema: freshSchema() };
}

describe("planMigrations", () => {
  it("gives SQL that makes exactly what migrate makes, and runs none of it", async () => {
    const { sql, schema } = await database();
    const options = { sql, schema, owner: "owner_role", application: "host_role" };
    const plan = (await planMigrations(options))._unsafeUnwrap();
    expect(plan.pending[0]).toBe("0001-first-schema");
    expect((await planMigrations(options))._unsafeUnwrap()).toEqual(plan);
    await sql.script(plan.script);
    expect((await inspectSchema(sql, schema, { application: "host_role" }))._unsafeUnwrap()).toEqual([]);
    expect((await migrate(options))._unsafeUnwrap()).toEqual([]);
  });

  it("plans grants alone for a schema that has every migration, and nothing without them", async () => {
    const { sql, schema } = await database();
    await migrate({ sql, schema });
    expect((await planMigrations({ sql, schema }))._unsafeUnwrap()).toEqual({ pending: [], script: "" });
    const { pending, script } = (
      await planMigrations({ sql, schema, application: "host_role" })
    )._unsafeUnwrap();
    expect(pending).toEqual([]);
    expect(script).toContain("grant");
    expect(script).not.toContain("create schema");
    await sql.script(script);
    expect((await inspectSchema(sql, schema, { application: "host_role" }))._unsafeUnwrap()).toEqual([]);
  });

  it("refuses a schema with a newer breaking migration", async () => {
    const { sql, schema } = await database();
    await migrate({ sql, schema });
    const table = `"${schema.replaceAll('"', '""')}".schema_migrations`;
    await sql.script(
      `insert into ${table} (version, name, checksum, breaking) values (9999, '9999-later', 'x', true)`,
    );
    expect((await planMigrations({ sql, schema }))._unsafeUnwrapErr().name).toBe("schema.too-new");
  });
});
