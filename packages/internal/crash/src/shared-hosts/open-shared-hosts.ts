import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { builtProgram } from "@tillkit/built-program";
import {
  configurePayTool,
  createApp,
  createDownloadsClient,
  createServiceType,
  type Ports,
  policyWith,
} from "@tillkit/core";
import type { SqlClient } from "@tillkit/postgres";
import { nodeDigest, noopObserver, systemRandom } from "@tillkit/runtime";
import { unwrapOrExit } from "../../../../cli/src/dev/unwrap-or-exit.js";
import { type HostSetup, sharedStores, sharedWallets } from "../testing/host-setup.js";
import { openSharedSimulators, type SharedSimulators } from "../testing/shared-simulators.js";

/** A day with counts of downloads. */
export const COUNTED_DAY = "2026-01-15";
/** The duration of the service type `month`, in milliseconds. */
export const MONTH = 30 * 86_400_000;

/** The options of {@link openSharedHosts}. */
export interface SharedHostsOptions extends Pick<
  HostSetup,
  "databaseUrl" | "schema" | "client" | "direct" | "querySchedule"
> {
  /** The URL of the schema's owner, who connects directly. Defaults to `databaseUrl`. */
  readonly ownerUrl?: string;
  /** Creates the schema. */
  readonly prepare: (owner: SqlClient) => Promise<void>;
}

/** Two hosts in separate processes on one database, with simulated wallets. */
export interface SharedHosts {
  readonly simulators: SharedSimulators;
  readonly appId: string;
  /** Sends a request to the first host if `nth` is even, otherwise to the second. */
  ask(nth: number, path: string, init?: RequestInit): Promise<{ status: number; body: unknown }>;
  /** Sends `times` requests at once, alternating between the two hosts. */
  both(times: number, path: string, init?: RequestInit): Promise<{ status: number; body: unknown }[]>;
  /** Returns the messages that the carrier sent to a phone, oldest first. */
  messagesTo(mobileNo: string): Promise<unknown>;
  /** Opens the stores of the hosts with the owner's role. */
  openStores(): ReturnType<typeof sharedStores>;
  close(): Promise<void>;
}

/**
 * Creates an app with a pay tool, a service type and downloads clients, and starts two hosts.
 *
 * The downloads client `seven-requests-a-day` may request 7 reports a day, and
 * `many-requests-a-day` 100 000.
 */
export async function openSharedHosts({
  ownerUrl,
  prepare,
  ...options
}: SharedHostsOptions): Promise<SharedHosts> {
  const addresses: string[] = [];
  const simulators = await openSharedSimulators(() => addresses);
  const setup: HostSetup = {
    ...options,
    walletAUrl: simulators.walletAUrl,
    smsUrl: simulators.smsUrl,
    secret: "a secret of thirty-two characters",
    timeZone: noonZone(Date.now()),
  };
  const children: ChildProcess[] = [];
  const openStores = () =>
    sharedStores({
      secret: setup.secret,
      schema: setup.schema,
      databaseUrl: ownerUrl ?? setup.databaseUrl,
    });
  const { appId, headers } = await seed(setup, simulators, openStores, prepare);
  addresses.push(...(await Promise.all([startHost(setup, children), startHost(setup, children)])));
  const ask: SharedHosts["ask"] = async (nth, path, init = {}) => {
    const response = await fetch(`${addresses[nth % 2] ?? ""}${path}`, { headers, ...init });
    const body: unknown = await response.json();
    return { status: response.status, body };
  };
  return {
    simulators,
    appId,
    ask,
    both: (times, path, init) => Promise.all(Array.from({ length: times }, (_, nth) => ask(nth, path, init))),
    messagesTo: async (mobileNo) => {
      const query = `mobileNo=${mobileNo}`;
      const parameters = { method: "GET", path: "/sms", query, headers: new Headers() };
      const { control } = simulators.sandbox;
      const messages: unknown = JSON.parse(
        (await control.handle({ ...parameters, body: new Uint8Array() })).body,
      );
      return messages;
    },
    openStores,
    close: async () => {
      const gone = children.map((child) => once(child, "close"));
      for (const child of children) child.kill("SIGKILL");
      await Promise.all(gone);
      await simulators.close();
    },
  };
}

/**
 * Returns a time zone in which it is between noon and one, so that no day ends during the tests.
 */
function noonZone(now: number): string {
  const west = new Date(now).getUTCHours() - 12;
  return `Etc/GMT${west < 0 ? "" : "+"}${String(west)}`;
}

async function seed(
  setup: HostSetup,
  simulators: SharedSimulators,
  openStores: SharedHosts["openStores"],
  prepare: SharedHostsOptions["prepare"],
): Promise<{ readonly appId: string; readonly headers: Readonly<Record<string, string>> }> {
  const { sql, stores } = openStores();
  await prepare(sql);
  const { clock, payTools } = simulators.sandbox;
  const ports: Ports = {
    ...stores,
    wallets: sharedWallets(setup),
    clock,
    digest: nodeDigest({ peppers: [{ version: 1, key: setup.secret }] }),
    policy: policyWith({}),
    random: systemRandom,
    observer: noopObserver,
    notificationsUrl: "",
  };
  const { app, appSecret } = unwrapOrExit("app", await createApp(ports, { name: "Shared" }));
  const { appId } = app;
  unwrapOrExit("pay tool", await configurePayTool(ports, appId, payTools.WALLET_A));
  const month = { serviceTypeNo: "month", serviceName: "Month", durationMs: MONTH };
  unwrapOrExit("service type", await createServiceType(ports, appId, month));
  for (const [clientId, dailyLimit] of [
    ["seven-requests-a-day", 7] as const,
    ["many-requests-a-day", 100_000] as const,
  ])
    unwrapOrExit("client", await createDownloadsClient(ports, { appId, clientId, dailyLimit }));
  const counts = { appId, store: "s", date: COUNTED_DAY, newDownloads: 1, updateDownloads: 1 };
  unwrapOrExit("counts", await stores.downloads.upsert([[counts]]));
  await sql.close();
  return { appId, headers: { APP_ID: appId, APP_SECRET: appSecret, "content-type": "application/json" } };
}

async function startHost(setup: HostSetup, children: ChildProcess[]): Promise<string> {
  const program = await builtProgram(new URL("../testing/host-program.ts", import.meta.url));
  const child = spawn(process.execPath, [program], {
    stdio: ["ignore", "pipe", "inherit"],
    env: { ...process.env, HOST_SETUP: JSON.stringify(setup) },
  });
  children.push(child);
  const next = await createInterface(child.stdout)[Symbol.asyncIterator]().next();
  return String(next.value);
}
