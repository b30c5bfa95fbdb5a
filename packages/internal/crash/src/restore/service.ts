import { randomBytes } from "node:crypto";
import { alipayWallet } from "@tillkit/alipay";
import { configurePayTool, createApp, orThrow, PAY_CHANNELS, type Ports } from "@tillkit/core";
import { notificationsSurface } from "@tillkit/core/http";
import { createTillkit, type Tillkit } from "@tillkit/host";
import { migrate, pgClient, postgresStores } from "@tillkit/postgres";
import { systemRandom } from "@tillkit/runtime";
import { openSandbox, type Sandbox, sandboxClock } from "@tillkit/sandbox";
import { wechatPayWallet } from "@tillkit/wechat-pay";
import pg from "pg";

/** The schema of all tables. */
export const SCHEMA = "tillkit";
/** The number of hosts that share the database. */
const HOSTS = 2;
/** The pause between rounds of the reconciler, in milliseconds. */
const RECONCILE_EVERY = 250;

/** Two hosts that can move to another database, and wallets that keep their records meanwhile. */
export interface Service {
  readonly sandbox: Sandbox;
  readonly appId: string;
  /** The first secret of the app. */
  readonly appSecret: string;
  /** Returns the ports of one of the running hosts, in turn. */
  readonly ports: () => Ports;
  /** Stops the hosts. Until the next `startHosts`, no notification arrives. */
  readonly stopHosts: () => Promise<void>;
  /** Starts new hosts on the database of `url`. */
  readonly startHosts: (url: string) => void;
  /** Moves the clock, and delivers the notifications that become due. */
  readonly advance: (ms: number) => Promise<void>;
  /** Runs the reconciler of every host until nothing is due. */
  readonly reconcile: () => Promise<void>;
  readonly close: () => Promise<void>;
}

/** Creates an app on the empty database of `url`, and starts hosts and wallets. */
export async function openService(url: string, stateFile: string): Promise<Service> {
  const clock = sandboxClock();
  let hosts: readonly { readonly tillkit: Tillkit; readonly close: () => Promise<void> }[] = [];
  let turn = 0;
  const ports = (): Ports => {
    turn += 1;
    const host = hosts[turn % HOSTS];
    if (host === undefined) throw new Error("No host is running.");
    return host.tillkit.ports;
  };
  const sandbox = await openSandbox({
    clock,
    stateFile,
    refundTime: 1_000,
    deliver: async ({ url: address, headers, body }) => {
      const current = ports();
      const path = address.slice(current.notificationsUrl.length);
      const message = { headers: new Headers(headers), body: new TextEncoder().encode(body) };
      return notificationsSurface(current).handle({ method: "POST", path, query: "", ...message });
    },
  });
  const wallets = {
    WALLET_A: wechatPayWallet({ clock, random: systemRandom, gateways: { DEV: sandbox.addresses.walletA } }),
    WALLET_B: sandbox.observe(alipayWallet({ clock, gateways: { DEV: sandbox.addresses.walletB } })),
  };
  const keyring = { peppers: [{ version: 1, key: new Uint8Array(randomBytes(32)) }] };
  const credentialKeys = [{ version: 1, key: new Uint8Array(randomBytes(32)) }];
  const startHosts = (databaseUrl: string) => {
    hosts = Array.from({ length: HOSTS }, () => {
      const pool = new pg.Pool({ connectionString: databaseUrl, max: 8 });
      // An idle connection breaks when the server dies.
      pool.on("error", () => undefined);
      const sql = pgClient(pool);
      const tillkit = createTillkit({
        stores: postgresStores({ sql, schema: SCHEMA, credentialKeys }),
        clock,
        keyring,
        wallets,
        smsSender: sandbox.smsSender,
        publicUrl: "http://127.0.0.1",
        // The test compares the bills itself.
        background: { reconcileEveryMs: RECONCILE_EVERY, billsAt: [] },
      });
      tillkit.start();
      return { tillkit, close: () => sql.close() };
    });
  };
  const stopHosts = async () => {
    const stopped = hosts;
    hosts = [];
    await Promise.all(stopped.map(({ tillkit }) => tillkit.stop()));
    await Promise.all(stopped.map(({ close }) => close()));
  };
  const sql = pgClient(new pg.Pool({ connectionString: url, max: 1 }));
  await orThrow(migrate({ sql, schema: SCHEMA }));
  await sql.close();
  startHosts(url);
  const { app, appSecret } = await orThrow(createApp(ports(), { name: "Restored" }));
  for (const payChannel of PAY_CHANNELS) {
    const tool = sandbox.payTools[payChannel];
    await orThrow(configurePayTool(ports(), app.appId, tool));
  }
  return {
    sandbox,
    appId: app.appId,
    appSecret,
    ports,
    startHosts,
    stopHosts,
    advance: async (ms) => {
      const body = new TextEncoder().encode(JSON.stringify({ advanceMs: ms }));
      const request = { method: "POST", path: "/clock", query: "", headers: new Headers(), body };
      const { status } = await sandbox.control.handle(request);
      if (status !== 200) throw new Error(`The clock of the sandbox replied with ${String(status)}.`);
    },
    reconcile: async () => {
      await Promise.all(hosts.map(({ tillkit }) => tillkit.runNow("reconcile")));
    },
    close: async () => {
      await stopHosts();
      await sandbox.close();
    },
  };
}
