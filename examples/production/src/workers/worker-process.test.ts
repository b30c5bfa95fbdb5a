import cluster from "node:cluster";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { startWorker } from "./worker-process.js";

/** Starts a worker that runs `code`. Returns it when it has sent its port, which is 1. */
async function startServing(code = "") {
  const folder = await mkdtemp(join(tmpdir(), "tillkit-worker-"));
  const exec = join(folder, "worker.cjs");
  await writeFile(exec, `process.send({ type: "serving", port: 1 });${code}setInterval(() => {}, 1_000);`);
  cluster.setupPrimary({ exec, args: [] });
  const worker = startWorker(join(folder, "worker.sock"));
  onTestFinished(async () => {
    worker.kill();
    await worker.ended;
    await rm(folder, { recursive: true });
  });
  expect(await worker.serving).toBe(1);
  return worker;
}

/** Keeps the event loop busy, so that this process does not learn what happens meanwhile. */
function busyFor(ms: number): void {
  const end = performance.now() + ms;
  while (performance.now() < end);
}

it("reports the end of a worker that is stopped when it has just died", async () => {
  const worker = await startServing();
  process.kill(worker.pid, "SIGKILL");
  busyFor(300);
  worker.stop("SIGTERM");
  expect(await worker.ended).toMatchObject({ code: null, signal: "SIGKILL" });
});

it("ignores messages of other kinds", async () => {
  const worker = await startServing('process.on("message", () => process.exit(3));process.send("hello");');
  worker.stop("SIGTERM");
  expect(await worker.ended).toMatchObject({ code: 3, signal: null });
});
