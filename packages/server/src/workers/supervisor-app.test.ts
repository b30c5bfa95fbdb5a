import { once } from "node:events";
import { createServer } from "node:http";
import { setTimeout } from "node:timers/promises";
import { expect, it, onTestFinished } from "vitest";
import { supervisorApp } from "./supervisor-app.js";
import type { WorkerHealth, WorkerProcess } from "./worker-process.js";

const READY: WorkerHealth = { ready: true, background: { bills: { succeededAt: 5 } } };
const NOT_READY: WorkerHealth = { ready: false, why: "storage.timeout", background: {} };
const HANGS = new Promise<undefined>(() => undefined);

/** Returns the answer of a host whose workers report their health like this. */
async function readiness(...healths: readonly (WorkerHealth | Promise<WorkerHealth | undefined>)[]) {
  const serving = healths.map((health): WorkerProcess => {
    const never = Promise.resolve(undefined);
    return {
      pid: 1,
      socketPath: "",
      serving: never,
      ended: new Promise(() => undefined),
      stop: () => undefined,
      kill: () => undefined,
      isSilent: () => Promise.resolve(false),
      stack: () => never,
      health: async () => health,
      metrics: { request: () => Promise.resolve(false), latest: () => "" },
    };
  });
  const group = { serving: () => serving, metrics: async () => "", crashes: () => 0 };
  const workers = serving.length;
  const app = supervisorApp({ group, workers, notReady: () => undefined, workerDeadline: 60_000 });
  const server = createServer(app).listen(0, "127.0.0.1");
  onTestFinished(() => void server.close());
  await once(server, "listening");
  const address = server.address();
  const port = typeof address === "object" && address !== null ? address.port : 0;
  const response = await fetch(`http://127.0.0.1:${String(port)}/health/ready`, {
    headers: { connection: "close" },
  });
  const body: unknown = await response.json();
  return { status: response.status, body };
}

it("is ready without waiting for a worker that hangs", async () => {
  expect(await readiness(HANGS, READY)).toMatchObject({
    status: 200,
    body: { ready: true, background: READY.background, workers: { configured: 2, serving: 2 } },
  });
});

it("waits for all workers while none is ready", async () => {
  const late = async (health: WorkerHealth | undefined) => {
    await setTimeout(50);
    return health;
  };
  expect(await readiness(NOT_READY, late(READY))).toMatchObject({ status: 200 });
  expect(await readiness(NOT_READY, late(undefined))).toMatchObject({
    status: 503,
    body: { ready: false, why: "storage.timeout" },
  });
});

it("reports the background tasks of all workers that answer", async () => {
  const other: WorkerHealth = { ready: true, background: { reconcile: { succeededAt: 7 } } };
  expect(await readiness(READY, other)).toMatchObject({
    body: { background: { ...READY.background, ...other.background } },
  });
});
