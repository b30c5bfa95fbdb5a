import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { copyFile, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";
import { createInterface } from "node:readline";
import { promisify } from "node:util";
import { bundleGuideHost } from "@tillkit/built-program/guide";
import { expectOk } from "@tillkit/contract-tests";
import { createDatabase } from "@tillkit/local-postgres";
import { createKeyring } from "@tillkit/runtime";
import pg from "pg";
import { afterAll, beforeAll, expect, inject, it } from "vitest";
import { inspectSchema } from "../admin/inspect-schema.js";
import { MIGRATIONS } from "../admin/migrations.js";
import { pgClient } from "../client/pg-client.js";

const GUIDE = new URL("../../../../docs/guide/bundle-a-host.md", import.meta.url);

let folder: string;
/** The path of the launcher. Its folder has only the bundle, and later the compiled code. */
let host: string;
let environment: Readonly<Record<"DATABASE_URL" | "KEYRING" | "PORT", string>>;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "tillkit-bundle-"));
  const built = await bundleGuideHost(GUIDE, join(folder, "build"), ["--conditions=@tillkit/source"]);
  const deployed = join(folder, "deployed");
  await mkdir(deployed);
  host = join(deployed, basename(built.launcher));
  await copyFile(built.launcher, host);
  await copyFile(built.bundle, join(deployed, basename(built.bundle)));
  const keyring = join(folder, "keyring.json");
  await expectOk(createKeyring(keyring));
  environment = { DATABASE_URL: await createDatabase(inject("databaseUrl")), KEYRING: keyring, PORT: "0" };
});

afterAll(() => rm(folder, { recursive: true, force: true }));

it("a bundled host migrates and checks the schema from one file", async () => {
  expect(await run("migrate")).toBe(`applied ${MIGRATIONS.length} migrations\n`);
  expect(await run("migrate")).toBe("applied 0 migrations\n");
  const sql = pgClient(new pg.Pool({ connectionString: environment.DATABASE_URL, max: 1 }));
  expect(await expectOk(inspectSchema(sql, "tillkit"))).toEqual([]);
  await sql.close();
});

it("a bundled host answers requests from one file", async () => {
  const server = spawn(process.execPath, [host, "serve"], {
    env: environment,
    stdio: ["ignore", "pipe", "inherit"],
  });
  const ended = once(server, "exit");
  const printed = await createInterface(server.stdout)[Symbol.asyncIterator]().next();
  const [, port] = /listening .*port: (\d+)/u.exec(printed.done === true ? "" : printed.value) ?? [];
  const answer = await fetch(`http://localhost:${port}/pay/payTools.json`);
  expect(await answer.json()).toMatchObject({ code: 1 });
  server.kill("SIGTERM");
  expect(await ended).toEqual([0, null]);
});

it("a bundled host stores its compiled code once, and again if this code belongs to another bundle", async () => {
  const folder = dirname(host);
  const codeFiles = async () => (await readdir(folder)).filter((name) => name.endsWith(".code"));
  for (const name of await codeFiles()) await rm(join(folder, name));
  const usage = "usage: start.cjs migrate | serve\n";
  expect(await run()).toBe(usage);
  const [stored = ""] = await codeFiles();
  const code = await readFile(join(folder, stored));
  expect(await run()).toBe(usage);
  expect((await readFile(join(folder, stored))).equals(code)).toBe(true);
  await writeFile(join(folder, stored), "the code of another version");
  expect(await run()).toBe(usage);
  expect((await readFile(join(folder, stored))).length).toBeGreaterThan(code.length / 2);
  const bundle = join(folder, "host.cjs");
  const text = await readFile(bundle, "utf8");
  await writeFile(bundle, text.replace("usage: start.cjs", "USAGE: start.cjs"));
  expect(await run()).toBe(usage.replace("usage", "USAGE"));
  await writeFile(bundle, text);
  expect(await codeFiles()).toHaveLength(2);
  expect(await readdir(folder)).toHaveLength(4);
});

/** Returns the output of the bundle for `command`. Rejects if it fails or prints an error. */
async function run(...command: readonly string[]): Promise<string> {
  const { stdout, stderr } = await promisify(execFile)(process.execPath, [host, ...command], {
    env: environment,
  });
  expect(stderr).toBe("");
  return stdout;
}
