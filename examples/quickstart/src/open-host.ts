import { AsyncLocalStorage } from "node:async_hooks";
import { join } from "node:path";
import { alipayWallet } from "@tillkit/alipay";
import { defaultPolicy, type Ports } from "@tillkit/core";
import { metricsRouter, notificationsRouter, paymentsRouter, surfaceRouter } from "@tillkit/express";
import { nodeDigest, noopObserver, systemRandom } from "@tillkit/runtime";
import { deliverOverHttp, openSandbox, type Sandbox } from "@tillkit/sandbox";
import { wechatPayWallet } from "@tillkit/wechat-pay";
import express, { type Express } from "express";
import { type HostFacts, readHostFile } from "./host-file.js";
import { openKeyring } from "./open-keyring.js";
import { openStorage, type Storage, type StorageOptions } from "./open-storage.js";
import { startHousekeeper } from "./housekeeper.js";
import { startReconciler } from "./reconciler.js";
import { refundAsOperator } from "./refund-as-operator.js";
import { seed } from "./seed.js";
import { withTimeout } from "./with-timeout.js";

/** The interval at which the wallets are queried about open orders, in milliseconds. */
const RECONCILE_EVERY = 5_000;
/** The interval of housekeeping, in milliseconds. */
const HOUSEKEEP_EVERY = 3_600_000;

/**
 * The request header with the IP address of the caller's customer, which WALLET_A needs for `H5`.
 */
const PAYER_ADDRESS_HEADER = "x-payer-client-ip";
const payerAddress = new AsyncLocalStorage<string | undefined>();
/** How long a stopping host waits for its background work, in milliseconds. */
const PATIENCE = 2_000;

/** A host without its socket. */
export interface Host {
  readonly app: Express;
  readonly facts: HostFacts;
  readonly ports: Ports;
  readonly sandbox: Sandbox;
  /** Ends the background work and closes the storage. Call it when no request is pending. */
  close(): Promise<void>;
}

/**
 * Creates a host with its demo data that will be reached at `origin`.
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

async function assemble(origin: string, storage: Storage, { dataDir, print }: StorageOptions): Promise<Host> {
  const { ports, sandbox, seeded } = await storage.exclusively(async () => {
    const { keyring, stores } = await openKeyring(dataDir, storage);
    const sandbox = await openSandbox({
      stateFile: join(dataDir, "sandbox.jsonl"),
      onClockMoved: async () => {
        await reconciler.round();
        await housekeeper.round();
      },
      onRefund: (asked) =>
        refundAsOperator(ports, [facts.appId, facts.secondAppId, facts.deviceAppId], asked),
      // An order keeps the address it was created with, and this start may use another port.
      deliver: (delivery) =>
        deliverOverHttp({ ...delivery, url: new URL(new URL(delivery.url).pathname, origin).href }),
    });
    const { clock, addresses } = sandbox;
    const made: Ports = {
      ...stores,
      clock,
      random: systemRandom,
      digest: nodeDigest({ peppers: keyring.peppers }),
      observer: noopObserver,
      policy: defaultPolicy,
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
      notificationsUrl: `${origin}/wallets`,
    };
    const before = await readHostFile(dataDir);
    return {
      ports: made,
      sandbox,
      seeded: await seed(made, storage, Object.values(sandbox.payTools), before),
    };
  });
  const facts: HostFacts = {
    baseUrl: `${origin}/pay`,
    metricsBaseUrl: origin,
    sandbox: { control: `${origin}/sandbox` },
    ...seeded,
  };
  const reconciler = startReconciler(ports, RECONCILE_EVERY, print);
  const housekeeper = startHousekeeper(ports, facts.appId, HOUSEKEEP_EVERY, print);

  const app = express();
  app.use((request, _response, next) => {
    payerAddress.run(request.get(PAYER_ADDRESS_HEADER), next);
  });
  app.use("/pay", paymentsRouter(ports));
  app.use("/wallets", notificationsRouter(ports));
  app.use("/sandbox", surfaceRouter(sandbox.control));
  app.use(metricsRouter(ports));
  const close = async () => {
    // A round may wait for a wallet or database that does not answer. The next start finishes its
    // work.
    await withTimeout(PATIENCE, Promise.all([reconciler.stop(), housekeeper.stop()]));
    await sandbox.close();
    await storage.close();
  };
  return { app, facts, ports, sandbox, close };
}
