import cluster from "node:cluster";
import { mkdtemp, readdir, readlink, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { startWorker } from "./worker-process.js";

/** Starts a worker that runs `code`. */
async function startWorking(code: string) {
  const folder = await mkdtemp(join(tmpdir(), "tillkit-worker-"));
  const exec = join(folder, "worker.cjs");
  await writeFile(exec, code);
  cluster.setupPrimary({ exec, args: [] });
  const worker = startWorker(join(folder, "worker.sock"));
  onTestFinished(async () => {
    worker.kill();
    await worker.ended;
    await rm(folder, { recursive: true });
  });
  return worker;
}

/** Starts a worker that runs `code`. Returns it when it has sent its port, which is 1. */
async function startServing(code = "") {
  const worker = await startWorking(
    `process.send({ type: "serving", port: 1 });${code}setInterval(() => {}, 1_000);`,
  );
  expect(await worker.serving).toBe(1);
  return worker;
}

/** Returns how many sockets this process has open. */
async function openSockets(): Promise<number> {
  const folder = "/proc/self/fd";
  const targets = (await readdir(folder)).map((name) => readlink(join(folder, name)).catch(() => ""));
  return (await Promise.all(targets)).filter((target) => target.startsWith("socket:")).length;
}

/** Blocks the event loop, so that this process receives no events meanwhile. */
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

/** A worker that serves, and hangs before it takes its second connection. */
const HANGING = `
  const taken = [];
  const server = require("node:http").createServer((_request, response) => response.end("taken"));
  server.listen(0, "127.0.0.1", () => process.send({ type: "serving", port: server.address().port }));
  process.prependListener("internalMessage", (message) => {
    if (message.act === "newconn" && taken.push(message) === 2) for (;;);
  });
`;

it("closes a connection that was passed to a worker which hangs and is killed", async () => {
  const worker = await startWorking(HANGING);
  const port = (await worker.serving) ?? 0;
  const ask = () => fetch(`http://127.0.0.1:${String(port)}/`, { headers: { connection: "close" } });
  expect(await (await ask()).text()).toBe("taken");
  const before = await openSockets();
  const hanging = ask();
  await expect.poll(openSockets).toBeGreaterThan(before);
  worker.kill();
  await expect(hanging).rejects.toThrow();
  await worker.ended;
  await expect.poll(openSockets).toBeLessThanOrEqual(before);
});

it("ignores messages of other kinds", async () => {
  const worker = await startServing('process.on("message", () => process.exit(3));process.send("hello");');
  worker.stop("SIGTERM");
  expect(await worker.ended).toMatchObject({ code: 3, signal: null });
});
