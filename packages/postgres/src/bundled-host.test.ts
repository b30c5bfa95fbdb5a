import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { copyFile, mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { promisify } from "node:util";
import { bundleGuideHost } from "@tillkit/built-program/guide";
import { expectOk } from "@tillkit/contract-tests";
import { createDatabase } from "@tillkit/local-postgres";
import { createKeyring } from "@tillkit/runtime";
import pg from "pg";
import { afterAll, beforeAll, expect, inject, it } from "vitest";
import { inspectSchema } from "./inspect-schema.js";
import { MIGRATIONS } from "./migrations.js";
import { pgClient } from "./pg-client.js";

const GUIDE = new URL("../../../docs/guide/bundle-a-host.md", import.meta.url);

let folder: string;
/** The path of the bundle, which is the only file in its folder. */
let host: string;
let environment: Readonly<Record<"DATABASE_URL" | "KEYRING" | "PORT", string>>;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "tillkit-bundle-"));
  const bundle = await bundleGuideHost(GUIDE, join(folder, "build"), ["--conditions=@tillkit/source"]);
  host = join(folder, "deployed", "host.mjs");
  await mkdir(join(folder, "deployed"));
  await copyFile(bundle, host);
  const keyring = join(folder, "keyring.json");
  await expectOk(createKeyring(keyring));
  environment = { DATABASE_URL: await createDatabase(inject("databaseUrl")), KEYRING: keyring, PORT: "0" };
});

afterAll(() => rm(folder, { recursive: true, force: true }));

it("migrates and checks the schema from one file", async () => {
  expect(await run("migrate")).toBe(`applied ${MIGRATIONS.length} migrations\n`);
  expect(await run("migrate")).toBe("applied 0 migrations\n");
  const sql = pgClient(new pg.Pool({ connectionString: environment.DATABASE_URL, max: 1 }));
  expect(await expectOk(inspectSchema(sql, "tillkit"))).toEqual([]);
  await sql.close();
});

it("answers requests from one file", async () => {
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

/** Returns the output of the bundle for `command`. Rejects if it fails or prints an error. */
async function run(command: string): Promise<string> {
  const { stdout, stderr } = await promisify(execFile)(process.execPath, [host, command], {
    env: environment,
  });
  expect(stderr).toBe("");
  return stdout;
}
