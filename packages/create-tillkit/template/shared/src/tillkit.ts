import { once } from "node:events";
import { writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import { alipayWallet } from "@tillkit/alipay";
import { TillkitClient } from "@tillkit/client";
import { memoryFulfilmentStore } from "@tillkit/client/fulfil";
import { fulfilmentTableSql, postgresFulfilmentStore } from "@tillkit/client/fulfil/postgres";
import { configurePayTool, createApp, orThrow } from "@tillkit/core";
import { jsonReply, limitedSurfaces, type Surface } from "@tillkit/core/http";
import { rotateSecret } from "@tillkit/core/operators";
import { dashboardSurface } from "@tillkit/dashboard";
import { fetchHandler } from "@tillkit/fetch";
import { createTillkit, type Tillkit } from "@tillkit/host";
import { nodeListener } from "@tillkit/node";
import { checkReadiness, migrate, postgresStores } from "@tillkit/postgres";
import * as runtime from "@tillkit/runtime";
import type { HostOptions } from "@tillkit/server";
import { wechatPayWallet } from "@tillkit/wechat-pay";
import { ResultAsync } from "neverthrow";
import pg from "pg";
import { openShop } from "./shop.ts";

const { env } = process;
// The built program must not simulate wallets if a variable was forgotten or misspelled.
const mode = env["NODE_ENV"] || (import.meta.url.endsWith(".js") ? "production" : "development");
const isProduction = !["development", "test"].includes(mode) || Boolean(env["DATABASE_URL"]);

export const HOST = env["HOST"] ?? (isProduction ? "0.0.0.0" : "127.0.0.1");
export const PORT = Number(env["PORT"] ?? 3000);
/** How many proxies in front of `PORT` append the address of their client to X-Forwarded-For. */
export const TRUST_PROXY = Number(env["TRUST_PROXY"] ?? 0);
const ADMIN_HOST = env["ADMIN_HOST"] ?? "127.0.0.1";
const ADMIN_PORT = Number(env["ADMIN_PORT"] ?? PORT + 1);

/** Opens Tillkit and the shop, starts the background tasks, and serves the operators' page. */
export async function openHost() {
  const checkDue = async () => ({ more: (await shop.checkDue()).size === 50 });
  const step = ResultAsync.fromThrowable(checkDue, (cause) => ({ name: "fulfil.failed", cause }));
  const options: HostOptions = {
    eventHandlers: [{ name: "shop", handle: (event) => shop.onOrder(event) }],
    backgroundTasks: { fulfil: { step, everyMs: 60_000 } },
  };
  const environment = await (isProduction ? openProduction(options) : openDevelopment(options));
  const { tillkit, surfaces, admin, log, purchases } = environment;
  const call = fetchHandler(surfaces);
  const client = new TillkitClient({
    ...environment.credentials,
    baseUrl: "http://127.0.0.1/pay", // in this process, without a connection
    fetch: (url, init) => call(new Request(url, init)),
  });
  const shop = openShop({
    client,
    store: purchases,
    // Replace both by your own code: `data` is the product. Each may run again for a purchase.
    grant: async ({ bizNo }) => log(`granted ${bizNo}`),
    revoke: async ({ bizNo }) => log(`revoked ${bizNo}`),
  });
  const health: Surface = {
    maxRequestBytes: 0,
    owns: () => true,
    handle: async () => {
      const { ready, why } = await tillkit.health();
      return jsonReply(ready ? 200 : 503, JSON.stringify({ ready, why }));
    },
  };
  const operators = createServer(runtime.serverLimits, admin).listen(ADMIN_PORT, ADMIN_HOST);
  await once(operators, "listening").catch((cause: unknown) => {
    throw new Error(`Set ADMIN_HOST or ADMIN_PORT: ${ADMIN_HOST}:${ADMIN_PORT} cannot be used.`, { cause });
  });
  log(`operators http://127.0.0.1:${ADMIN_PORT}/dashboard`);
  tillkit.start();

  /** Ends the process in order: the tasks and the server of the shop, then the storage. */
  const stopOnSignal = (closeServer: () => Promise<unknown>) => {
    const stop = async () => {
      const { unfinished } = await environment.stop(closeServer);
      if (unfinished.length > 0) log(`${unfinished.join(", ")} did not end in time.`);
      process.exit(unfinished.length > 0 ? 1 : 0);
    };
    for (const signal of ["SIGINT", "SIGTERM"])
      process.once(signal, () => void stop().catch(() => process.exit(1)));
  };
  return { ...environment, mounts: { ...surfaces, "/health": health }, client, shop, stopOnSignal };
}

/** Opens PostgreSQL and the real wallets. Throws an error that names every wrong variable. */
async function openProduction(options: HostOptions) {
  const { openTillkit } = await import("@tillkit/server");
  const { DATABASE_URL = "", APP_ID: appId = "", APP_SECRET: appSecret = "" } = env;
  const missing = Object.entries({ APP_ID: appId, APP_SECRET: appSecret })
    .filter(([, value]) => value === "")
    .map(([name]) => `- ${name} is missing: \`tillkit apps create\` prints it.`);
  const environment = { WALLETS: "live", ...env, NODE_ENV: "production" };
  const host = await openTillkit({ ...options, environment }).catch((error: Error) => error);
  const hint = mode === "development" ? ["- Without DATABASE_URL, the wallets are simulated."] : [];
  if (host instanceof Error) throw new Error([host.message, ...missing, ...hint].join("\n"));
  if (missing.length > 0) throw new Error([...missing, ...hint].join("\n"));
  const pool = new pg.Pool({ connectionString: DATABASE_URL, connectionTimeoutMillis: 3_000 });
  await pool.query(fulfilmentTableSql());
  return {
    ...host,
    log: (text: string) => host.logger.info(text),
    purchases: postgresFulfilmentStore({ pool, effects: "external" }),
    credentials: { appId, appSecret },
  };
}

/** Opens an embedded database in `.tillkit` and simulated wallets. Needs no variables. */
async function openDevelopment(options: HostOptions) {
  if (ADMIN_HOST !== "127.0.0.1")
    throw new Error("In development the operators' page has no password: leave ADMIN_HOST at 127.0.0.1.");
  const { eventHandlers = [], backgroundTasks: tasks = {} } = options;
  const { openEmbedded } = await import("@tillkit/postgres/pglite");
  const { openSandbox } = await import("@tillkit/sandbox");
  const publicUrl = `http://127.0.0.1:${PORT}`;
  const database = { sql: await orThrow(openEmbedded(".tillkit")), schema: "tillkit" };
  await orThrow(migrate(database));
  const keyring = await orThrow(runtime.openOrCreateKeyring(".tillkit/keys.json"));
  const sandbox = await openSandbox({
    stateFile: ".tillkit/sandbox.jsonl",
    refundTime: 1_000,
    host: () => tillkit.ports,
  });
  const { clock, addresses, payTools, smsSender } = sandbox;
  const gatewayA = { clock, random: runtime.systemRandom, gateways: { DEV: addresses.walletA } };
  const walletB = alipayWallet({ clock, gateways: { DEV: addresses.walletB } });
  const tillkit: Tillkit = createTillkit({
    eventHandlers: typeof eventHandlers === "function" ? eventHandlers(database) : eventHandlers,
    background: { tasks },
    stores: postgresStores({ ...database, credentialKeys: keyring.credentialKeys }),
    checkStorage: () => checkReadiness(database.sql, database.schema),
    wallets: { WALLET_A: wechatPayWallet(gatewayA), WALLET_B: sandbox.observe(walletB) },
    smsSender,
    publicUrl,
    keyring,
    clock,
  });
  const { ports } = tillkit;
  const { payments, notifications } = limitedSurfaces(ports);
  const known = (await orThrow(ports.apps.list())).find(({ name }) => name === "Shop");
  const opened = known ? rotateSecret(ports, known.appId, 0) : createApp(ports, { name: "Shop" });
  const { app, appSecret } = orThrow(await opened);
  for (const payTool of Object.values(payTools)) await orThrow(configurePayTool(ports, app.appId, payTool));
  const control = `http://127.0.0.1:${ADMIN_PORT}/sandbox`;
  const facts = { baseUrl: `${publicUrl}/pay`, appId: app.appId, appSecret, sandbox: { control } };
  await writeFile(".tillkit/host.json", JSON.stringify(facts), { mode: 0o600 });
  const authorize = async () => ({ name: "developer", role: "admin" }) as const;
  const dashboard = dashboardSurface(ports, { authorize, mountPath: "/dashboard" });
  return {
    tillkit,
    sql: database.sql,
    surfaces: { "/pay": payments, "/wallets": notifications },
    admin: nodeListener({ "/dashboard": dashboard, "/sandbox": sandbox.control }),
    log: (text: string) => console.log(text),
    purchases: memoryFulfilmentStore(),
    credentials: { appId: app.appId, appSecret },
    stop: async (closeServer: () => Promise<unknown>) => {
      const [ended] = await Promise.all([tillkit.stop(), closeServer()]);
      await sandbox.close();
      await database.sql.close();
      return ended;
    },
  };
}
