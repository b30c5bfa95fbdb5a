import { isError } from "@tillkit/core/errors";
import { AsyncLocalStorage } from "node:async_hooks";
import type { RequestListener } from "node:http";
import { join } from "node:path";
import { alipayWallet } from "@tillkit/alipay";
import { policyWith, type Ports, type ServiceEvent } from "@tillkit/core";
import { headersIn, limitedSurfaces, withShutdown } from "@tillkit/core/http";
import { dashboardSurface, walletCallFigures } from "@tillkit/dashboard";
import { createTillkit } from "@tillkit/host";
import { nodeListener } from "@tillkit/node";
import { scryptHasher, systemRandom } from "@tillkit/runtime";
import { deliverOverHttp, openSandbox, type Sandbox, setSandboxPayTools } from "@tillkit/sandbox";
import { wechatPayWallet } from "@tillkit/wechat-pay";
import { copyPrepared } from "./copy-prepared.js";
import { type HostFacts, readHostFile } from "./host-file.js";
import { keepDemoCounts } from "./keep-demo-counts.js";
import { openKeyring } from "./open-keyring.js";
import { openStorage, type Storage, type StorageOptions } from "./open-storage.js";
import { seed, seedHistoryApp } from "./seed.js";
import { seedOperator } from "./seed-operator.js";
import { seedHistory } from "./seed-history.js";

/** The interval at which the demo app's counts are extended to today, in milliseconds. */
const COUNT_EVERY = 3_600_000;
/** The interval at which new apps get the pay tools of the sandbox, in milliseconds. */
const NEW_APPS_EVERY = 2_000;

/**
 * The request header with the IP address of the caller's customer. WeChat Pay needs it for `H5`.
 */
const PAYER_ADDRESS_HEADER = "x-payer-client-ip";
/** The file with the keys and the records of the simulated wallets. */
export const SANDBOX_FILE = "sandbox.jsonl";
/** Larger refunds need a second operator, in cents. An order of the tour costs 600. */
const APPROVAL_OVER = 500;
/** The path at which the dashboard is mounted. */
const DASHBOARD_PATH = "/dashboard";
const payerAddress = new AsyncLocalStorage<string | undefined>();
/** How long a stopping host waits for its background work, in milliseconds. */
const PATIENCE = 2_000;

const passwords = scryptHasher();

/** A host without its socket. */
export interface Host {
  readonly listener: RequestListener;
  readonly facts: HostFacts;
  readonly ports: Ports;
  readonly sandbox: Sandbox;
  /** Starts to store the history of a demo shop in the background. Call it at most once. */
  storeHistory(): void;
  /** Ends the open event streams, so that the server can close. */
  beginClose(): void;
  /** Ends the background work and closes the storage. Call it when no request is pending. */
  close(): Promise<void>;
}

/**
 * Creates a host with demo data. Its clients will use the address `origin`.
 *
 * Rejects if its data cannot be opened.
 */
export async function openHost(origin: string, options: StorageOptions): Promise<Host> {
  const storage = await openStorage(options);
  try {
    return await assemble(origin, storage, options);
  } catch (problem) {
    await storage.close();
    throw problem;
  }
}

async function assemble(origin: string, storage: Storage, options: StorageOptions): Promise<Host> {
  const { dataDir, print } = options;
  const { tillkit, sandbox, walletCalls, seeded, admin, historyAppId } = await storage.exclusively(
    async () => {
      const { keyring, stores } = await openKeyring(dataDir, storage);
      await copyPrepared(options.prepared, dataDir, SANDBOX_FILE);
      const sandbox = await openSandbox({
        stateFile: join(dataDir, SANDBOX_FILE),
        // Short, because a person waits for the refund.
        refundTime: 1_000,
        onClockMoved: async () => {
          for (const task of ["reconcile", "demo-counts", "housekeeping"]) await tillkit.runNow(task);
        },
        host: () => tillkit.ports,
        // An order keeps the address it was created with, and this start may use another port.
        deliver: (delivery) =>
          deliverOverHttp({ ...delivery, url: new URL(new URL(delivery.url).pathname, origin).href }),
      });
      const { clock, addresses } = sandbox;
      const withPayTools = new Set<string>();
      const walletCalls = walletCallFigures(clock, { onEvent: (event) => printFailedTask(event, print) });
      const made = createTillkit({
        stores,
        clock,
        keyring,
        publicUrl: origin,
        wallets: {
          WALLET_A: wechatPayWallet({
            clock,
            random: systemRandom,
            gateways: { DEV: addresses.walletA },
            // Only DEV pay tools use this default. The address of a real customer comes from the
            // caller.
            payerClientIp: () => payerAddress.getStore() ?? "127.0.0.1",
            payerClientIpName: PAYER_ADDRESS_HEADER,
          }),
          WALLET_B: sandbox.observe(alipayWallet({ clock, gateways: { DEV: addresses.walletB } })),
        },
        smsSender: sandbox.smsSender,
        policy: policyWith({ refundApprovalOver: APPROVAL_OVER }),
        observer: walletCalls,
        background: {
          tasks: {
            "demo-counts": {
              step: () => keepDemoCounts(made.ports, facts.appId).map(() => ({ more: false })),
              everyMs: COUNT_EVERY,
            },
            "sandbox-pay-tools": {
              step: () => setSandboxPayTools(made.ports, sandbox, withPayTools).map(() => ({ more: false })),
              everyMs: NEW_APPS_EVERY,
            },
          },
        },
      });
      const before = await readHostFile(dataDir);
      const payTools = Object.values(sandbox.payTools);
      const operators = { ...made.ports, passwords };
      const [seeded, admin, second] = await Promise.all([
        seed(made.ports, storage, payTools, before),
        // Other threads hash the passwords, so this runs at the same time.
        seedOperator(operators, { name: "admin", role: "admin" }, before?.dashboard),
        seedOperator(operators, { name: "finance", role: "finance" }, before?.dashboard?.second),
      ]);
      const historyAppId = await seedHistoryApp(made.ports, payTools);
      return { tillkit: made, sandbox, walletCalls, seeded, admin: { ...admin, second }, historyAppId };
    },
  );
  const facts: HostFacts = {
    baseUrl: `${origin}/pay`,
    metricsBaseUrl: origin,
    sandbox: { control: `${origin}/sandbox` },
    ...seeded,
    dashboard: { url: `${origin}${DASHBOARD_PATH}`, ...admin },
  };
  const { ports } = tillkit;
  tillkit.start();

  const stopping = new AbortController();
  // The host serves plain HTTP on this machine only, so a password is enough. The account page
  // offers to set up a second factor.
  const accounts = { passwords, secondFactor: "optional", mountPath: DASHBOARD_PATH, secure: false } as const;
  const dashboard = dashboardSurface(ports, { accounts, walletCalls });
  const { payments, notifications, metrics } = limitedSurfaces(ports);
  const mounts = {
    "/pay": payments,
    "/wallets": notifications,
    "/sandbox": sandbox.control,
    [DASHBOARD_PATH]: withShutdown(dashboard, stopping.signal),
    "/": metrics,
  };
  const answer = nodeListener(mounts);
  const listener: RequestListener = (request, response) => {
    const address = headersIn(request.headers).get(PAYER_ADDRESS_HEADER) ?? undefined;
    payerAddress.run(address, answer, request, response);
  };
  let history = Promise.resolve();
  const beginClose = () => stopping.abort();
  const close = async () => {
    beginClose();
    await history;
    // A step may wait for a wallet or database that does not answer. The next start finishes the
    // work of the step.
    await tillkit.stop(PATIENCE);
    await sandbox.close();
    await storage.close();
  };
  const startHistory = () => {
    history = storeHistory();
  };
  return { listener, facts, ports, sandbox, storeHistory: startHistory, beginClose, close };

  async function storeHistory(): Promise<void> {
    const merchant = sandbox.payTools.WALLET_A;
    const isStopping = () => stopping.signal.aborted;
    try {
      await seedHistory({ ports, sandbox, appId: historyAppId, merchant, isStopping });
    } catch (problem) {
      options.print(`history: ${isError(problem) ? problem.message : String(problem)}`);
    }
  }
}

/** Prints one line for each failed step. The next step retries. */
function printFailedTask(event: ServiceEvent, print: StorageOptions["print"]): void {
  if (event.type === "task.ran" && event.failure !== undefined) print(`${event.task}: ${event.failure}`);
}
