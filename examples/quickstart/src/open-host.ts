import { defaultPolicy, type Ports } from "@tillkit/core";
import { metricsRouter, notificationsRouter, paymentsRouter, surfaceRouter } from "@tillkit/express";
import { memoryStores } from "@tillkit/memory";
import { nodeDigest, silentObserver, systemRandom } from "@tillkit/runtime";
import { openSandbox, type Sandbox } from "@tillkit/sandbox";
import express, { type Express } from "express";
import type { HostFacts } from "./host-file.js";
import { type Reconciler, startReconciler } from "./reconciler.js";
import { seed } from "./seed.js";

/** How often the wallets are asked about open orders, in milliseconds. */
const RECONCILE_EVERY = 5_000;

/** Everything of a host but its socket. */
export interface Host {
  readonly app: Express;
  readonly facts: HostFacts;
  readonly ports: Ports;
  readonly sandbox: Sandbox;
  readonly reconciler: Reconciler;
}

/** Puts a host together that will be reached at `origin`, with its demo data in it. Rejects when the data cannot be made. */
export async function openHost(origin: string, report: (problem: string) => void): Promise<Host> {
  const sandbox = await openSandbox({ onClockMoved: () => reconciler.round() });
  const ports: Ports = {
    ...memoryStores(),
    clock: sandbox.clock,
    random: systemRandom,
    // A new key every time: what is stored under it does not outlive the process either.
    digest: nodeDigest({ peppers: [{ version: 1, key: systemRandom.bytes(32) }] }),
    observer: silentObserver,
    policy: defaultPolicy,
    wallets: sandbox.wallets,
    smsSender: sandbox.smsSender,
    notificationsUrl: `${origin}/wallets`,
  };
  const facts: HostFacts = {
    baseUrl: `${origin}/pay`,
    metricsBaseUrl: origin,
    sandbox: { control: `${origin}/sandbox` },
    ...(await seed(ports, Object.values(sandbox.payTools))),
  };
  const reconciler = startReconciler(ports, RECONCILE_EVERY, report);

  const app = express();
  app.use("/pay", paymentsRouter(ports));
  app.use("/wallets", notificationsRouter(ports));
  app.use("/sandbox", surfaceRouter(sandbox.control));
  app.use(metricsRouter(ports));
  return { app, facts, ports, sandbox, reconciler };
}
