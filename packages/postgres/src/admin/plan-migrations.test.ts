import { randomBytes } from "node:crypto";
import { orThrow } from "@tillkit/core";
import { describe, expect, it, onTestFinished } from "vitest";
import { inspectSchema } from "./inspect-schema.js";
import { migrate } from "./migrate.js";
import { planMigrations } from "./plan-migrations.js";
import { statement } from "../sql/statement.js";
import { quoted } from "../sql/tables.js";
import { freshSchema, serverClient } from "../testing/databases.js";

async function database() {
  const sql = serverClient();
  const schema = freshSchema();
  const owner = `till_owner_${randomBytes(6).toString("hex")}`;
  const application = `till_app_${randomBytes(6).toString("hex")}`;
  onTestFinished(async () => {
    await sql.script(
      `drop schema ${quoted(schema)} cascade; drop owned by ${owner}, ${application}; drop role ${owner}, ${application}`,
    );
    await sql.close();
  });
  await sql.script(`create role ${owner}; create role ${application}`);
  return { sql, schema, owner, application };
}

describe("planMigrations", () => {
  it("returns SQL that creates exactly the schema of migrate, and does not run it", async () => {
    const options = await database();
    const { sql, schema, application } = options;
    const plan = await orThrow(planMigrations(options));
    expect(plan.pending[0]).toBe("0001-first-schema");
    expect(await orThrow(planMigrations(options))).toEqual(plan);
    await sql.script(plan.script);
    expect(await orThrow(inspectSchema(sql, schema, { application }))).toEqual([]);
    expect(await orThrow(migrate(options))).toEqual([]);
  });

  it("records the migrations as migrate does", async () => {
    const [planned, migrated] = [await database(), await database()];
    const { script } = await orThrow(planMigrations(planned));
    await planned.sql.script(script);
    await orThrow(migrate(migrated));
    const recorded = async ({ sql, schema }: typeof planned) =>
      sql.query(
        statement(
          "recorded_migrations",
          `select version, name, checksum, breaking from ${quoted(schema)}.schema_migrations order by version`,
        ),
        [],
      );
    const rows = await recorded(planned);
    expect(rows.length).toBeGreaterThan(0);
    expect(rows).toEqual(await recorded(migrated));
  });

  it("refuses a database that migrate refuses", async () => {
    const { sql, schema } = await database();
    await orThrow(migrate({ sql, schema }));
    await sql.script(`grant create on schema ${quoted(schema)} to public`);
    for (const refused of [await migrate({ sql, schema }), await planMigrations({ sql, schema })])
      expect(refused).toMatchObject({ error: { name: "database.unsuitable" } });
  });

  it("plans only grants for a schema with every migration, and nothing without grants", async () => {
    const { sql, schema, application } = await database();
    await migrate({ sql, schema });
    expect(await orThrow(planMigrations({ sql, schema }))).toEqual({ pending: [], script: "" });
    const { pending, script } = await orThrow(planMigrations({ sql, schema, application }));
    expect(pending).toEqual([]);
    expect(script).toContain("grant");
    expect(script).not.toContain("create schema");
    await sql.script(script);
    expect(await orThrow(inspectSchema(sql, schema, { application }))).toEqual([]);
  });

  it("rejects a schema with a newer breaking migration", async () => {
    const { sql, schema } = await database();
    await migrate({ sql, schema });
    const table = `${quoted(schema)}.schema_migrations`;
    await sql.script(
      `insert into ${table} (version, name, checksum, breaking) values (9999, '9999-later', 'x', true)`,
    );
    expect((await planMigrations({ sql, schema }))._unsafeUnwrapErr().name).toBe("schema.too-new");
  });
});
