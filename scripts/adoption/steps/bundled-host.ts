import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { copyFile, mkdir, readFile } from "node:fs/promises";
import { basename } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { bundleGuideHost } from "@tillkit/built-program/guide";
import { createApp, orThrow } from "@tillkit/core";
import { pgClient, postgresStores } from "@tillkit/postgres";
import { createKeyring, readKeyring, systemClock, systemRandom, nodeDigest } from "@tillkit/runtime";
import { root, runOrThrow } from "@tillkit/repository";
import pg from "pg";
import { z } from "zod";
import { guidePage } from "../lib/guide-page.js";
import { asInstalled, install } from "../lib/install.js";
import type { AdoptionStep, Workplace } from "../lib/step.js";

const GUIDE = pathToFileURL(`${root}docs/guide/bundle-a-host.md`);
/** The roles that the guide names. */
const ROLES = { owner: "tillkit_owner", host: "tillkit_app" } as const;

/** Bundles the host of the guide with esbuild, and runs its commands as printed, with two roles. */
export const bundledHost: AdoptionStep = {
  name: "bundled-host",
  shows: "the host of docs/guide/bundle-a-host.md as one file, with the commands and roles of the page",
  run: async ({ folder, tarballs, createDatabase }) => {
    const { packages } = guidePage({ path: fileURLToPath(GUIDE), text: await readFile(GUIDE, "utf8") });
    const isOwn = (name: string) => tarballs.some(({ workspace }) => workspace.name === name);
    const others = packages.filter((name) => !isOwn(name));
    await install(folder, tarballs, packages.filter(isOwn), others.map(asInstalled));
    const built = await bundleGuideHost(GUIDE, folder);
    // The two files alone, without the packages beside them.
    const deployed = `${folder}-deployed`;
    await mkdir(`${deployed}/dist`, { recursive: true });
    for (const file of [built.bundle, built.launcher])
      await copyFile(file, `${deployed}/dist/${basename(file)}`);
    const keyring = `${deployed}/keys.json`;
    await orThrow(createKeyring(keyring));
    const database = await databaseWithRoles(createDatabase);
    const commands = await printedCommands(database, keyring);
    const command = (text: string) => runOrThrow("sh", ["-c", text], deployed);

    // If `migrate` does not get the role of the hosts, hosts have no rights. Their callers must not
    // retry.
    assert.match(await command(commands.migrate.replace(/HOST_ROLE=\S+/u, "")), /^applied [1-9]\d* /u);
    await serving(commands.serve, deployed, async (url, printed) => {
      const { code, msg } = await payTools(url, "app_1", "sk_1");
      assert.equal(code, 70007);
      assert.doesNotMatch(msg, /retry/iu);
      assert.match(printed(), new RegExp(`"remedy":"The role ${ROLES.host} has no right`, "u"));
    });

    assert.equal(await command(commands.migrate), "applied 0 migrations\n");
    const { appId, appSecret } = await registered(database.urlOf("host"), keyring);
    await serving(commands.serve, deployed, async (url) => {
      assert.equal((await payTools(url, appId, appSecret)).code, 0);
      assert.equal((await payTools(url, appId, "sk_1")).code, 1001);
    });
    return "migrated as the owner, and served as the role of hosts; without rights, 70007 with the remedy";
  },
};

/** The addresses of one database for its two roles. */
interface RoleDatabase {
  readonly urlOf: (role: keyof typeof ROLES) => string;
}

async function databaseWithRoles(createDatabase: Workplace["createDatabase"]): Promise<RoleDatabase> {
  const url = new URL(await createDatabase());
  const admin = new pg.Client({ connectionString: url.href });
  await admin.connect();
  for (const role of Object.values(ROLES)) await admin.query(`create role ${role} login password '${role}'`);
  await admin.query(`grant create on database ${url.pathname.slice(1)} to ${ROLES.owner}`);
  await admin.end();
  const urlOf = (role: keyof typeof ROLES) => {
    const own = new URL(url.href);
    own.username = ROLES[role];
    own.password = ROLES[role];
    return own.href;
  };
  return { urlOf };
}

/** Returns the commands of the guide, with this database, key file and port. */
async function printedCommands({ urlOf }: RoleDatabase, keyring: string) {
  const text = await readFile(fileURLToPath(GUIDE), "utf8");
  const printed = (name: string) => {
    const [, line] = new RegExp(`^(DATABASE_URL=.* node dist/start\\.cjs ${name})$`, "mu").exec(text) ?? [];
    if (line === undefined) throw new Error(`The guide has no command that runs ${name}.`);
    return line
      .replace(`postgres://${ROLES.owner}@db/pay`, `'${urlOf("owner")}'`)
      .replace(`postgres://${ROLES.host}@db/pay`, `'${urlOf("host")}'`)
      .replace(/KEYRING=\S+/u, `KEYRING=${keyring}`)
      .replace(/PORT=\d+/u, "PORT=0");
  };
  return { migrate: printed("migrate"), serve: printed("serve") };
}

/** Registers an app, with the rights of the role of the hosts. */
async function registered(url: string, keyring: string) {
  const { peppers, credentialKeys } = await orThrow(readKeyring(keyring));
  const sql = pgClient(new pg.Pool({ connectionString: url, max: 1 }));
  const stores = postgresStores({ sql, schema: "tillkit", credentialKeys });
  const ports = { ...stores, clock: systemClock, random: systemRandom, digest: nodeDigest({ peppers }) };
  const { app, appSecret } = await orThrow(createApp(ports, { name: "Guide" }));
  await sql.close();
  return { appId: app.appId, appSecret };
}

/** Runs the command that serves, and calls `use` with its address and with what it has printed. */
async function serving(
  command: string,
  cwd: string,
  use: (url: string, printed: () => string) => Promise<void>,
): Promise<void> {
  const host = spawn("sh", ["-c", command.replace(" node ", " exec node ")], { cwd });
  const ended = once(host, "exit");
  let output = "";
  const port = new Promise<string>((resolve, reject) => {
    for (const stream of [host.stdout, host.stderr])
      stream.setEncoding("utf8").on("data", (text: string) => {
        output += text;
        const [, found] = /listening .*port: (\d+)/u.exec(output) ?? [];
        if (found !== undefined) resolve(found);
      });
    host.once("exit", () => reject(new Error(`The host ended: ${output}`)));
  });
  try {
    await use(`http://127.0.0.1:${await port}`, () => output);
  } finally {
    host.kill("SIGTERM");
    await ended;
  }
}

async function payTools(url: string, appId: string, appSecret: string) {
  const headers = { APP_ID: appId, APP_SECRET: appSecret };
  const answer: unknown = await (await fetch(`${url}/pay/payTools.json`, { headers })).json();
  return envelope.parse(answer);
}

const envelope = z.object({ code: z.number(), msg: z.string() });
