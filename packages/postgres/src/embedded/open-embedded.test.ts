import { existsSync } from "node:fs";
import { cp, mkdtemp, rm, truncate } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expectFailure, expectOk } from "@tillkit/contract-tests";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { lockFolder, openEmbedded } from "../pglite.js";
import type { SqlClient, SqlRow } from "../sql/sql-client.js";
import { type Child, startChild } from "../testing/child.js";

let parent: string;
let folder: string;
let template: string;
let unfinished: boolean;
let madeAnew: readonly SqlRow[];
const children: Child[] = [];

// Creating a database takes seconds, so the tests copy this one. Its creation is interrupted once,
// which a test below checks.
beforeAll(async () => {
  template = await mkdtemp(join(tmpdir(), "embedded-"));
  const making = await startChild("embedded-program.ts", template);
  const begun = () => {
    expect(existsSync(join(template, "database", "PG_VERSION"))).toBe(true);
  };
  try {
    await vi.waitFor(begun, { timeout: 60_000, interval: 10 });
  } finally {
    await making.kill();
  }
  unfinished = existsSync(join(template, "unfinished"));
  const sql = await expectOk(openEmbedded(template));
  await sql.script("create table recreated (n integer)");
  madeAnew = await sql.query({ name: "recreated", text: "select count(*)::int as n from recreated" }, []);
  await sql.close();
});
afterAll(() => rm(template, { recursive: true }));
beforeEach(async () => {
  parent = await mkdtemp(join(tmpdir(), "embedded-"));
  folder = join(parent, "data");
});
afterEach(async () => {
  await Promise.all(children.splice(0).map((child) => child.kill()));
  await rm(parent, { recursive: true });
});

async function useTemplate(): Promise<void> {
  await cp(join(template, "database"), join(folder, "database"), { recursive: true });
}

async function child(): Promise<Child> {
  const started = await startChild("embedded-program.ts", folder);
  children.push(started);
  return started;
}

async function count(sql: SqlClient): Promise<unknown> {
  const [row] = await sql.query({ name: "highest", text: "select count(*)::int as n from numbers" }, []);
  return row?.["n"];
}

describe("openEmbedded", { tags: "slow" }, () => {
  it("keeps the commits of a killed process, and rejects the folder while a process uses it", async () => {
    await useTemplate();
    const first = await child();
    expect(await first.line()).toBe("open");
    const refused = await expectFailure(openEmbedded(folder));
    expect(refused).toMatchObject({ name: "database.in-use", pid: first.process.pid });
    expect(refused.message).toContain(
      `The folder ${folder} is in use by process ${String(first.process.pid)} on `,
    );
    let acknowledged = 0;
    while (acknowledged < 100) acknowledged = Number(await first.line());
    await first.kill();
    const sql = await expectOk(openEmbedded(folder));
    const found = await count(sql);
    expect(found).toBeGreaterThanOrEqual(acknowledged);
    await sql.close();
    const again = await expectOk(openEmbedded(folder));
    expect(await count(again)).toBe(found);
    await again.close();
  });

  it("recreates a database whose creation was interrupted", () => {
    expect(unfinished).toBe(true);
    expect(existsSync(join(template, "unfinished"))).toBe(false);
    expect(madeAnew).toEqual([{ n: 0 }]);
  });

  it("fails for a damaged database, leaves it unchanged and unlocks the folder", async () => {
    await useTemplate();
    const control = join(folder, "database", "global", "pg_control");
    await cp(control, join(parent, "copy"));
    await truncate(control);
    const refused = await expectFailure(openEmbedded(folder));
    expect(refused.name).toBe("database.unreadable");
    expect(refused.message).toMatch(/^The database in .* did not open \(.*\)\. .*$/);
    await cp(join(parent, "copy"), control);
    await expectOk(openEmbedded(folder).map((sql) => sql.close()));
  });

  it("fails on a full disk, and unlocks the folder", async () => {
    for (const existing of [false, true]) {
      if (existing) await useTemplate();
      const refused = await expectFailure(openEmbedded(folder, { reserveBytes: 2 ** 52 }));
      expect(refused.name).toBe("database.disk-full");
      expect(refused.message).toMatch(/^Only \d+ MB of disk space are free\. .* Free disk space/);
      expect(existsSync(join(folder, "database"))).toBe(existing);
      const lock = await expectOk(lockFolder(folder));
      await lock.release();
    }
  });

  it("fails for a folder that cannot be used", async () => {
    const refused = await expectFailure(openEmbedded("/dev/null/data"));
    expect(refused.name).toBe("database.folder-unusable");
    expect(refused.message).toContain("/dev/null/data");
  });
});
