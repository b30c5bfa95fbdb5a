import assert from "node:assert/strict";
import { readdirSync } from "node:fs";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { dirname } from "node:path";
import { z } from "zod";
import { freePort } from "@tillkit/local-postgres";
import { readJsonFile, root, run, runOrThrow } from "@tillkit/repository";
import { type Buyer, buyAndRefund, buyAndRefundByCommand, buyOnOwnPage } from "../lib/buy-and-refund.js";
import { install } from "../lib/install.js";
import { REGISTRY_VERSIONS } from "../lib/registry-versions.js";
import { runUntilReady } from "../lib/run-until-ready.js";
import type { AdoptionStep, Workplace } from "../lib/step.js";

/** The longest time from nothing to a paid order on an idle machine with npm's cache. */
const IDLE_SECONDS = 120;
/** The limit of the step: a busy machine takes longer. */
const MAX_SECONDS = 4 * IDLE_SECONDS;

const SERVER = ["dist/src/server.js"];
const NEXT = "node_modules/next/dist/bin/next";
/** The frameworks whose projects do not use npm. */
const MANAGERS: Readonly<Record<string, "pnpm" | "yarn">> = { fastify: "pnpm", nest: "yarn" };
/** How a project starts: `dev` without configuration, and `production` after its build. */
const STARTS = {
  compiled: { dev: SERVER, production: SERVER },
  next: { dev: [NEXT, "dev", "--hostname", "127.0.0.1"], production: [NEXT, "start"] },
} as const;
type Starts = (typeof STARTS)[keyof typeof STARTS];
const QUIET = { NEXT_TELEMETRY_DISABLED: "1" };
const VARIABLES = ["DATABASE_URL", "TILLKIT_KEYS_FILE", "PUBLIC_URL", "APP_ID", "APP_SECRET"];

const manifest = z.object({
  dependencies: z.record(z.string(), z.string()),
  devDependencies: z.record(z.string(), z.string()),
});
const createdApp = z.object({ app: z.object({ appId: z.string() }), appSecret: z.string() });

/** One step per framework: writes a project from the tarballs, tests it, and takes a payment. */
export const createTillkit: readonly AdoptionStep[] = readdirSync(`${root}packages/create-tillkit/template`)
  .filter((name) => name !== "shared")
  .map((framework) => ({
    name: `create-${framework}`,
    shows: `npm create tillkit with ${framework}: from nothing to tests that pass and a paid order`,
    run: (workplace) => adopt(framework, workplace),
  }));

async function adopt(framework: string, workplace: Workplace): Promise<string> {
  const { folder, tarballs } = workplace;
  const manager = MANAGERS[framework];
  const tools = manager === undefined ? [] : [REGISTRY_VERSIONS[manager]];
  await install(`${folder}/tool`, tarballs, ["create-tillkit"], tools);
  const program = manager === undefined ? "npm" : `${folder}/tool/node_modules/.bin/${manager}`;
  // The value that the package manager sets for the programs that it runs.
  const agent = { npm_config_user_agent: tools[0]?.replace("@", "/") ?? "npm/11.0.0" };
  const project = `${folder}/shop`;
  const seconds: (readonly [string, number])[] = [];
  const timed = async (step: string, work: () => Promise<unknown>): Promise<void> => {
    const start = performance.now();
    await work();
    seconds.push([step, (performance.now() - start) / 1_000]);
  };

  const create = `${folder}/tool/node_modules/create-tillkit/dist/main.js`;
  const args = [create, "shop", "--yes", "--framework", framework, "--no-install"];
  await timed("create", () => runOrThrow(process.execPath, args, folder, agent));
  const { dependencies, devDependencies } = manifest.parse(readJsonFile(`${project}/package.json`));
  const published = new Set(tarballs.map(({ workspace }) => workspace.name));
  const own = Object.keys({ ...dependencies, ...devDependencies }).filter((name) => published.has(name));
  await timed("install", () =>
    manager === undefined ? install(project, tarballs, own) : runOrThrow(program, ["install"], project),
  );
  const pages = await pastePages(project);
  await timed("build", () => runOrThrow(program, ["run", "build"], project, QUIET));
  await timed("test", () => runOrThrow(program, ["test"], project));
  const starts = framework === "next" ? STARTS.next : STARTS.compiled;
  await timed("pay", () => payInDevelopment(project, starts, pages));

  const total = seconds.reduce((sum, [, took]) => sum + took, 0);
  await startInProduction(project, starts, workplace);
  const columns = [...seconds, ["total", total] as const];
  const table = [
    columns.map(([step]) => step.padStart(8)).join(""),
    columns.map(([, took]) => `${took.toFixed(1)} s`.padStart(8)).join(""),
    `on an idle machine at most ${IDLE_SECONDS} s`,
  ].join("\n");
  assert.ok(total <= MAX_SECONDS, `at most ${MAX_SECONDS} s\n${table}`);
  return table;
}

/** Writes the pages that the README shows, as a reader does. Returns how many there are. */
async function pastePages(project: string): Promise<number> {
  const readme = await readFile(`${project}/README.md`, "utf8");
  const pages = [...readme.matchAll(/^```tsx\n\/\/ (\S+)\n(.*?)^```$/gmsu)];
  for (const [, path = "", code = ""] of pages) {
    await mkdir(dirname(`${project}/${path}`), { recursive: true });
    await writeFile(`${project}/${path}`, code);
  }
  return pages.length;
}

/** Starts the project without configuration, buys, pays and refunds. */
async function payInDevelopment(project: string, { dev }: Starts, pages: number): Promise<void> {
  const [port, operatorsPort] = [await freePort(), await freePort()];
  const buyer: Buyer = {
    shop: `http://127.0.0.1:${port}`,
    operators: `http://127.0.0.1:${operatorsPort}`,
  };
  const env = {
    PORT: String(port),
    ADMIN_PORT: String(operatorsPort),
    NODE_ENV: "development",
    ...QUIET,
  };
  const tillkit = (...args: readonly string[]) =>
    runOrThrow(`${project}/node_modules/.bin/tillkit`, args, project);
  await runUntilReady(dev, project, env, `${buyer.shop}/health`, async () => {
    await buyAndRefund(buyer);
    if (pages > 0) await buyOnOwnPage(buyer);
    await buyAndRefundByCommand(buyer, project, tillkit);
  });
}

/** Starts the built project without and with its configuration for production. */
async function startInProduction(
  project: string,
  { production }: Starts,
  { createDatabase }: Workplace,
): Promise<void> {
  // An absent or empty NODE_ENV must not start the simulated wallets of development.
  const starts = ["delete process.env.NODE_ENV", 'process.env.NODE_ENV = ""'].map((change) => [
    "--eval",
    `${change}; import("./${SERVER[0]}")`,
  ]);
  for (const start of production === SERVER ? [SERVER, ...starts] : [production]) {
    const refused = await run(process.execPath, start, project, { NODE_ENV: "production" });
    assert.equal(refused.code, 1);
    assert.deepEqual(
      VARIABLES.filter((name) => !refused.output.includes(name)),
      [],
      refused.output,
    );
  }
  const [port, adminPort] = [await freePort(), await freePort()];
  const database = { DATABASE_URL: await createDatabase(), TILLKIT_KEYS_FILE: `${project}/keys.json` };
  const tillkit = (...args: string[]) =>
    runOrThrow(`${project}/node_modules/.bin/tillkit`, args, project, database);
  await tillkit("keys", "create");
  await tillkit("migrate");
  const { app, appSecret } = createdApp.parse(
    JSON.parse(await tillkit("apps", "create", "--name", "Shop", "--json")),
  );
  const env = {
    ...database,
    NODE_ENV: "production",
    PUBLIC_URL: "https://pay.example",
    APP_ID: app.appId,
    APP_SECRET: appSecret,
    PORT: String(port),
    ADMIN_PORT: String(adminPort),
    ...QUIET,
  };
  await runUntilReady(production, project, env, `http://127.0.0.1:${port}/health`, () =>
    checkAdminPort(adminPort),
  );
}

/** Checks that the operators' port serves its page and metrics, and only on 127.0.0.1. */
async function checkAdminPort(port: number): Promise<void> {
  const read = async (path: string) => (await fetch(`http://127.0.0.1:${port}${path}`)).text();
  assert.match(await read("/metrics"), /^tillkit_/mu);
  assert.match(await read("/dashboard/"), /<html/u);
  // On Linux, a server that listens on all addresses would answer here too.
  await assert.rejects(fetch(`http://127.0.0.2:${port}/metrics`));
}
