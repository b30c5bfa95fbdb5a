import { randomBytes } from "node:crypto";
import { alipayWallet } from "@tillkit/alipay";
import {
  configurePayTool,
  createApp,
  eventHandler,
  orThrow,
  parseInput,
  type PasswordHasher,
} from "@tillkit/core";
import { limitedSurfaces } from "@tillkit/core/http";
import { createOperator, createOperatorInput } from "@tillkit/core/operators";
import { dashboardSurface } from "@tillkit/dashboard";
import { createTillkit } from "@tillkit/host";
import { startPostgres } from "@tillkit/local-postgres";
import { migrate, pgClient, postgresStores, type SqlClient, type SqlQueries } from "@tillkit/postgres";
import { noopObserver, systemRandom as random } from "@tillkit/runtime";
import { type Delivery, openSandbox } from "@tillkit/sandbox";
import { wechatPayWallet } from "@tillkit/wechat-pay";
import pg from "pg";

/** The password of the operator. */
export const PASSWORD = "correct horse battery";
/** Hashes at once, because the work of hashing is not what is counted. */
const passwords: PasswordHasher = {
  hash: async (password) => `hash of ${password}`,
  matches: async (password, hash) => hash === `hash of ${password}`,
};

/** Opens a host on PostgreSQL with both simulated wallets, one app and one operator. */
export async function openHost() {
  const server = await startPostgres();
  const statements: string[] = [];
  const sql = recorded(pgClient(new pg.Pool({ connectionString: server.url, max: 4 })), statements);
  await orThrow(migrate({ sql, schema: "tillkit" }));
  const keys = [{ version: 1, key: randomBytes(32) }];
  const held: Delivery[] = [];
  const sandbox = await openSandbox({
    deliver: async (delivery) => {
      held.push(delivery);
      return { status: 500, body: "" };
    },
  });
  const { clock, addresses } = sandbox;
  const { ports } = createTillkit({
    stores: postgresStores({ sql, schema: "tillkit", credentialKeys: keys }),
    clock,
    keyring: { peppers: keys },
    publicUrl: "https://pay.example.com",
    observer: noopObserver,
    wallets: {
      WALLET_A: wechatPayWallet({ clock, random, gateways: { DEV: addresses.walletA } }),
      WALLET_B: sandbox.observe(alipayWallet({ clock, gateways: { DEV: addresses.walletB } })),
    },
  });
  const { app, appSecret } = await orThrow(createApp(ports, { name: "Flows" }));
  for (const payTool of Object.values(sandbox.payTools))
    await orThrow(configurePayTool(ports, app.appId, payTool));
  const account = { name: "li", role: "admin", password: PASSWORD };
  const operator = orThrow(parseInput(createOperatorInput(), account));
  const by = { operator: "host", reason: "flows", from: "host", traceId: "" };
  await orThrow(createOperator({ ...ports, passwords }, operator, by));
  const handler = eventHandler({ name: "flows", handle: async () => undefined });
  await orThrow(ports.eventDeliveries.registerHandler(handler.name, clock.now()));
  const accounts = { passwords, secondFactor: "optional", mountPath: "/dashboard" } as const;
  return {
    ports,
    sandbox,
    statements,
    /** The notifications of the wallets, which the host has not received. */
    held,
    handler,
    caller: { appId: app.appId, appSecret },
    surfaces: { ...limitedSurfaces(ports), dashboard: dashboardSurface(ports, { accounts }) },
    close: async () => {
      await sandbox.close();
      await sql.close();
      await server.stop();
    },
  };
}

/** Wraps a client so that `statements` receives the name of each statement. */
function recorded(sql: SqlClient, statements: string[]): SqlClient {
  const recording = <Q extends SqlQueries>(queries: Q): Q => ({
    ...queries,
    query: (statement, values) => {
      statements.push(statement.name);
      return queries.query(statement, values);
    },
  });
  return {
    ...recording(sql),
    transaction: (work, options) => sql.transaction((transaction) => work(recording(transaction)), options),
    close: () => sql.close(),
  };
}
