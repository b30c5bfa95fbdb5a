import { randomBytes } from "node:crypto";
import { compareCustomers } from "@tillkit/crash/compare-customers";
import { compareOrders } from "@tillkit/crash/compare-orders";
import type { RunningHost } from "@tillkit/crash/crash-environment";
import { readLedger } from "@tillkit/crash/read-ledger";
import { readSnapshot } from "@tillkit/crash/read-snapshot";
import { callerOf } from "@tillkit/crash/testing/caller";
import { createDatabase } from "@tillkit/local-postgres";
import { migrate, pgClient } from "@tillkit/postgres";
import { runOrThrow } from "@tillkit/repository";
import { valueOrTimeout } from "@tillkit/runtime";
import { startSandbox } from "@tillkit/sandbox";
import type { Program } from "../../packages/server/src/rehearsal/program.js";
import { unwrapOrExit } from "../../packages/cli/src/dev/unwrap-or-exit.js";
import pg from "pg";
import { applyBreakingMigration } from "./breaking.js";
import { type HostProcess, type Shared, startHost } from "./host-process.js";
import { type LoadBalancer, openLoadBalancer } from "./load-balancer.js";
import { holdTable } from "./hold-table.js";
import { NEXT_MIGRATIONS } from "./next-migrations.js";
import type { Release } from "./releases.js";
import type { UpgradeCounts } from "./report.js";
import { preparedFacts, SERVICE_TYPE, type UpgradeSetup } from "./set-up.js";
import { settle } from "./settle.js";
import { startTraffic, type Traffic } from "./traffic.js";

/** What a run works with. */
export interface UpgradeOptions {
  readonly previous: Release;
  readonly next: Release;
  /** The URL of a PostgreSQL server, as a role that may create databases and roles. */
  readonly serverUrl: string;
  /** An empty folder. */
  readonly folder: string;
  /** Reports a step. */
  readonly print: (text: string) => void;
}

/** The number of successful steps of callers in each phase of a run. */
const PHASE = 150;
/** How long a phase may take, in milliseconds. */
const PHASE_DEADLINE = 60_000;

/** Upgrades two hosts under load, and compares what callers received with the stored data. */
export async function playUpgrade(options: UpgradeOptions): Promise<UpgradeCounts> {
  const { previous, serverUrl, folder } = options;
  const sandboxFile = `${folder}/sandbox.json`;
  const ledgerFile = `${folder}/sandbox.jsonl`;
  const programs: Program[] = [];
  const balancer = await openLoadBalancer();
  const sandbox = await startSandbox({ stateFile: ledgerFile, factsFile: sandboxFile, refundTime: 1_000 });
  const databaseUrl = await createDatabase(serverUrl);
  const sql = pgClient(new pg.Pool({ connectionString: databaseUrl, max: 2 }));
  try {
    const application = `tillkit_host_${randomBytes(6).toString("hex")}`;
    await sql.script(`create role ${application} login password '${application}'`);
    const files = { keyringFile: `${folder}/keyring.json`, sandboxFile };
    const owner: UpgradeSetup = { databaseUrl, application, publicUrl: balancer.url, ...files };
    const printed = await runOrThrow(process.execPath, [previous.prepare], folder, {
      UPGRADE_SETUP: JSON.stringify(owner),
    });
    const { appId, appSecret } = preparedFacts.parse(JSON.parse(printed));
    const hostUrl = new URL(databaseUrl);
    [hostUrl.username, hostUrl.password] = [application, application];
    const shared: Shared = { setup: { ...owner, databaseUrl: hostUrl.href }, appId, programs };
    const facts = { baseUrl: `${balancer.url}/pay`, appId, appSecret };
    const caller = callerOf({ ...facts, sandbox: { control: sandbox.controlUrl } });
    const running = runningHost(caller, balancer.url);
    const began = Date.now();
    const upgraded = await upgradeUnderLoad(options, { shared, balancer, running, sql, databaseUrl });
    const ended = await settle(upgraded.hosts, caller);
    const { known } = upgraded.traffic;
    const ofCustomers = await compareCustomers(known, running, { began, ended });
    for (const host of upgraded.hosts) await host.stop();
    const { counts } = balancer;
    const traffic = { requests: counts.requests, failures: counts.failures, longestMs: counts.longestMs };
    const snapshot = await readSnapshot({ dataDir: `${folder}/snapshot`, databaseUrl });
    const ofOrders = compareOrders(known, readLedger(ledgerFile), snapshot);
    await applyBreakingMigration(previous, shared, balancer, { sql, application });
    options.print("breaking migration: running hosts became not ready, and new ones refused to start");
    return { traffic, snapshot, findings: [...known.findings, ...ofCustomers, ...ofOrders] };
  } finally {
    for (const { child } of programs) child.kill("SIGKILL");
    await sql.close();
    await balancer.close();
    await sandbox.close();
  }
}

function runningHost(caller: RunningHost["caller"], url: string): RunningHost {
  const headers = { "content-type": "application/json" };
  return {
    caller,
    serviceTypeNo: SERVICE_TYPE.serviceTypeNo,
    refund: async (request) => {
      const body = JSON.stringify({ ...request, reason: "an upgrade", operator: "operator-1" });
      return (await fetch(`${url}/operator/refund`, { method: "POST", headers, body })).json();
    },
  };
}

interface Stage {
  readonly shared: Shared;
  readonly balancer: LoadBalancer;
  readonly running: RunningHost;
  readonly sql: ReturnType<typeof pgClient>;
  readonly databaseUrl: string;
}

/**
 * Returns the hosts of the next release, after all hosts of the previous release and the traffic
 * have ended.
 */
async function upgradeUnderLoad(
  { previous, next, print }: UpgradeOptions,
  { shared, balancer, running, sql, databaseUrl }: Stage,
): Promise<{ readonly hosts: readonly HostProcess[]; readonly traffic: Traffic }> {
  const join = async (name: string, release: Release): Promise<HostProcess> => {
    const host = await startHost(name, release, shared);
    balancer.add(host);
    return host;
  };
  const old = await Promise.all(["previous-1", "previous-2"].map((name) => join(name, previous)));
  await balancer.ready(["previous-1", "previous-2"]);
  const traffic = startTraffic(running);
  const phase = async (text: string): Promise<void> => {
    const { counts } = balancer;
    const [requests, failed] = [counts.requests, counts.failures.length];
    const outcome = await valueOrTimeout(traffic.acknowledged(PHASE), PHASE_DEADLINE);
    if (outcome === "timeout")
      throw new Error(`${text}: too few requests succeed. ${counts.failures.at(-1) ?? ""}`);
    print(
      `${text}: ${String(counts.requests - requests)} requests, ${String(counts.failures.length - failed)} failed`,
    );
  };
  await phase("two hosts of the previous release");
  const held = await holdTable(databaseUrl, "tillkit.orders");
  const migrated = migrate({
    sql,
    schema: "tillkit",
    application: shared.setup.application,
    migrations: NEXT_MIGRATIONS,
  });
  await held.release();
  const applied = unwrapOrExit("the migrations of the next release", await migrated);
  print(`migrated under load: ${applied.join(", ")}`);
  await phase("the previous release on the new schema");
  const hosts = await Promise.all(["next-1", "next-2"].map((name) => join(name, next)));
  await balancer.ready(["next-1", "next-2", "previous-1", "previous-2"]);
  await phase("both releases side by side");
  for (const host of old) await Promise.all([host.stop(), phase(`while ${host.name} stops`)]);
  await balancer.ready(["next-1", "next-2"]);
  await phase("two hosts of the next release");
  await traffic.stop();
  print([...balancer.counts.byHost].map(([name, count]) => `${name} ${String(count)}`).join(", "));
  return { hosts, traffic };
}
