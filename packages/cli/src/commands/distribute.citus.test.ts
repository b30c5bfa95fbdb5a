import { randomBytes } from "node:crypto";
import { pgClient } from "@tillkit/postgres";
import pg from "pg";
import { expect, it, onTestFinished } from "vitest";
import { openPlace } from "../testing/cli.js";

/** Opens an environment whose database is the cluster of `TEST_CITUS_URL`. */
async function openCluster() {
  const url = process.env["TEST_CITUS_URL"] ?? "";
  const { schema, env, tillkit: run } = await openPlace();
  const sql = pgClient(new pg.Pool({ connectionString: url, max: 1 }));
  const role = `host_${randomBytes(6).toString("hex")}`;
  await sql.script(`create role ${role} login`);
  onTestFinished(async () => {
    await sql.script(`drop schema if exists ${schema} cascade`);
    await sql.script(`drop owned by ${role}`);
    await sql.script(`drop role ${role}`);
    await sql.close();
  });
  const tillkit = async (...argv: readonly string[]) => run(argv, { env: { ...env, DATABASE_URL: url } });
  return { tillkit, role, schema };
}

it("distributes the tables after a dry run, names each table, and leaves the doctor nothing to find", async () => {
  const { tillkit, role, schema } = await openCluster();
  await tillkit("keys", "create");
  const migrated = await tillkit("migrate", "--application", role);
  expect(migrated.stdout).toMatch(/Not distributed yet: apps, .*downloads, .*\. Run `tillkit distribute`\./);
  const planned = await tillkit("distribute", "--dry-run", "--application", role);
  expect(planned).toMatchObject({ code: 0, stderr: "" });
  expect(planned.stdout).toContain(`create_distributed_table('"${schema}".orders', 'biz_no'`);
  expect((await tillkit("doctor", "--application", role)).stdout).toContain(
    "not-distributed: The table orders",
  );
  const done = await tillkit("distribute", "--application", role, "--shards", "4");
  expect(done.code).toBe(0);
  expect(done.stdout).toContain("Distributed the schema");
  expect(done.stderr).toMatch(/^1\/\d+ copying to every node: apps$/m);
  expect(done.stderr).toMatch(/^\d+\/\d+ distributing orders$/m);
  const again = await tillkit("distribute", "--application", role, "--json");
  expect(again.json).toEqual({ schema, dryRun: false, steps: [] });
  expect((await tillkit("migrate", "--json")).json).toEqual({ schema, applied: [], undistributed: [] });
  const examined = await tillkit("doctor", "--application", role, "--direct-nodes", "--json");
  // The servers of the tests have no fsync.
  expect(JSON.parse(examined.stdout)).toMatchObject({ findings: [{ subject: "fsync" }] });
});
