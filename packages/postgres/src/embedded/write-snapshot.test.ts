import { existsSync } from "node:fs";
import { lstat, mkdtemp, readdir, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expectFailure, expectOk } from "@tillkit/contract-tests";
import { errAsync, okAsync, ResultAsync } from "neverthrow";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { packFolder, unpackFolder } from "./folder-pack.js";
import { checkSchema, inspectSchema, migrate } from "../index.js";
import { MIGRATIONS } from "../admin/migrations.js";
import { openEmbedded, writeSnapshot } from "../pglite.js";
import type { SqlClient } from "../sql/sql-client.js";
import { startChild } from "../testing/child.js";

const SCHEMA = "tillkit";

let parent: string;
let snapshot: string;
let older: string;
let folder: string;
let made = 0;

// Each snapshot takes seconds, so the tests share two.
beforeAll(async () => {
  parent = await mkdtemp(join(tmpdir(), "snapshot-"));
  snapshot = join(parent, "database.snapshot");
  older = join(parent, "older.snapshot");
  await expectOk(writeSnapshot(snapshot, (sql) => migrate({ sql, schema: SCHEMA })));
  const migrations = MIGRATIONS.slice(0, -1);
  await writeFile(join(parent, "target.snapshot"), "");
  await symlink("target.snapshot", older);
  await expectOk(writeSnapshot(older, (sql) => migrate({ sql, schema: SCHEMA, migrations })));
});
afterAll(() => rm(parent, { recursive: true }));
beforeEach(() => {
  folder = join(parent, `data-${String((made += 1))}`);
});

/** Opens a database, runs `work` and closes the database. */
async function withDatabase<T>(from: string, work: (sql: SqlClient) => ResultAsync<T, unknown>): Promise<T> {
  const sql = await expectOk(openEmbedded(folder, { snapshot: from }));
  try {
    return await expectOk(work(sql));
  } finally {
    await sql.close();
  }
}

/** Returns whether the new database in `folder` was created from the snapshot `from`. */
async function startsFrom(from: string): Promise<boolean> {
  const find = { name: "test_schema", text: `select from pg_namespace where nspname = '${SCHEMA}'` };
  const found = await withDatabase(from, (sql) => ResultAsync.fromSafePromise(sql.query(find, [])));
  return found.length > 0;
}

describe("writeSnapshot", { tags: "slow" }, () => {
  it("replaces the file that a symbolic link points to", async () => {
    expect((await lstat(older)).isSymbolicLink()).toBe(true);
    expect((await readFile(join(parent, "target.snapshot"))).length).toBeGreaterThan(0);
  });

  it("stores a migrated schema, which passes the checks of every schema", async () => {
    await withDatabase(snapshot, (sql) =>
      migrate({ sql, schema: SCHEMA })
        .map((applied) => {
          expect(applied).toEqual([]);
        })
        .andThen(() => checkSchema(sql, SCHEMA))
        .andThen(() => inspectSchema(sql, SCHEMA))
        .map((findings) => {
          expect(findings).toEqual([]);
        }),
    );
  });

  it("leaves only the snapshot", async () => {
    const files = await readdir(parent);
    expect(files.filter((name) => name.includes("snapshot")).sort()).toEqual([
      "database.snapshot",
      "older.snapshot",
      "target.snapshot",
    ]);
  });

  it("writes nothing if the preparation fails", async () => {
    const file = join(parent, "failed.pack");
    expect(await expectFailure(writeSnapshot(file, () => errAsync({ name: "no" })))).toEqual({ name: "no" });
    expect((await readdir(parent)).filter((name) => name.startsWith("failed"))).toEqual([]);
  });

  it("fails if the file cannot be written", async () => {
    const failure = await expectFailure(writeSnapshot("/dev/null/snapshot", () => okAsync(undefined)));
    expect(failure).toMatchObject({ name: "database.folder-unusable" });
  });
});

describe("openEmbedded with a snapshot", { tags: "slow", timeout: 300_000 }, () => {
  it("keeps what is stored, and does not read the snapshot again", async () => {
    await withDatabase(snapshot, (sql) => migrate({ sql, schema: SCHEMA }));
    await withDatabase(older, (sql) => checkSchema(sql, SCHEMA));
  });

  it("runs the migrations that an older snapshot lacks", async () => {
    const applied = await withDatabase(older, (sql) => migrate({ sql, schema: SCHEMA }));
    expect(applied).toEqual(MIGRATIONS.slice(-1).map(({ name }) => name));
    await withDatabase(older, (sql) => checkSchema(sql, SCHEMA));
  });

  it("does not accept a snapshot with other migrations", async () => {
    const other = join(parent, "other.pack");
    await withDatabase(snapshot, (sql) =>
      ResultAsync.fromSafePromise(
        sql.script(`update ${SCHEMA}.schema_migrations set checksum = '0' where version = 1`),
      ),
    );
    await writeFile(other, packFolder(join(folder, "database")));
    folder += "-2";
    const sql = await expectOk(openEmbedded(folder, { snapshot: other }));
    expect(await expectFailure(migrate({ sql, schema: SCHEMA }))).toMatchObject({ name: "schema.altered" });
    await sql.close();
  });

  it("creates the database without a damaged snapshot", async () => {
    const damaged = join(parent, "damaged.pack");
    const bytes = await readFile(snapshot);
    bytes.writeUInt8(bytes.readUInt8(bytes.length - 1) ^ 1, bytes.length - 1);
    await writeFile(damaged, bytes);
    expect(unpackFolder(bytes, folder)).toBe(false);
    expect(unpackFolder(bytes.subarray(0, 20), folder)).toBe(false);
    expect(existsSync(folder)).toBe(false);
    expect(await startsFrom(damaged)).toBe(false);
    folder += "-2";
    expect(await startsFrom(snapshot)).toBe(true);
  });

  it("creates the database without a snapshot of another version of PostgreSQL", async () => {
    const foreign = join(parent, "foreign.pack");
    const unpacked = join(parent, "foreign");
    expect(unpackFolder(await readFile(snapshot), unpacked)).toBe(true);
    await writeFile(join(unpacked, "PG_VERSION"), "14\n");
    await writeFile(foreign, packFolder(unpacked));
    expect(await startsFrom(foreign)).toBe(false);
  });

  // Each database that is created without a snapshot takes seconds.
  it("creates the database without a snapshot that is missing", async () => {
    expect(await startsFrom(join(parent, "missing.pack"))).toBe(false);
  });

  it("starts again if the process was killed while it unpacked the snapshot", async () => {
    // A kill after some of the files were written leaves this state.
    unpackFolder(await readFile(snapshot), join(folder, "database"));
    await rm(join(folder, "database", "base"), { recursive: true });
    await writeFile(join(folder, "unfinished"), "");
    expect(await startsFrom(snapshot)).toBe(true);
    expect(existsSync(join(folder, "unfinished"))).toBe(false);
  });

  it("keeps the commits of a process that is killed", async () => {
    const child = await startChild("embedded-program.ts", folder, snapshot);
    let acknowledged = 0;
    expect(await child.line()).toBe("open");
    while (acknowledged < 20) acknowledged = Number(await child.line());
    await child.kill();
    const sql = await expectOk(openEmbedded(folder, { snapshot }));
    const [row] = await sql.query({ name: "highest", text: "select count(*)::int as n from numbers" }, []);
    await sql.close();
    expect(row?.["n"]).toBeGreaterThanOrEqual(acknowledged);
  });
});
