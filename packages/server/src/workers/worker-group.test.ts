import { pino } from "pino";
import { beforeEach, expect, it, vi } from "vitest";
import { workerGroup } from "./worker-group.js";
import type { WorkerExit, WorkerProcess } from "./worker-process.js";

/** A worker that a test ends. It serves at once, and ends when it is killed. */
interface FakeWorker extends WorkerProcess {
  readonly calls: string[];
  hangs: boolean;
  /** The metrics of the worker. Like a real one, it answers no request while it hangs. */
  text: string;
}

const workers: FakeWorker[] = [];
function fakeWorker(socketPath: string, stops: boolean): FakeWorker {
  const calls: string[] = [];
  let end: (exit: WorkerExit) => void = () => undefined;
  const ended = new Promise<WorkerExit>((resolve) => (end = resolve));
  const worker: FakeWorker = {
    calls,
    socketPath,
    ended,
    pid: 1_000 + workers.length,
    serving: Promise.resolve(8080),
    stop: (signal) => {
      calls.push(`stop ${signal}`);
      if (stops) end({ code: 0, signal: null, livedMs: 3_600_000 });
    },
    kill: () => {
      calls.push("kill");
      end({ code: null, signal: "SIGKILL", livedMs: 3_600_000 });
    },
    hangs: false,
    text: "",
    isSilent: async () => worker.hangs,
    stack: async () => ["countForEver /srv/host.js:1:2"],
    health: () => Promise.resolve(undefined),
    metrics: { request: () => Promise.resolve(!worker.hangs), latest: () => worker.text },
  };
  workers.push(worker);
  return worker;
}

const createWorker = vi.fn<(socketPath: string) => WorkerProcess>();
const group = (count: number, stopDeadline = 50) =>
  workerGroup({
    count,
    createWorker,
    folder: "/nowhere",
    silenceDeadline: 20,
    stopDeadline,
    onGivenUp: () => undefined,
    logger: pino({ base: null, timestamp: false }, { write: (line: string) => lines.push(JSON.parse(line)) }),
  });
const lines: unknown[] = [];
beforeEach(() => {
  workers.length = 0;
  lines.length = 0;
  createWorker.mockReset();
});

it("kills a worker that does not stop in time, and replaces the other workers", async () => {
  createWorker.mockImplementation((socketPath) => fakeWorker(socketPath, workers.length !== 0));
  const tested = group(2);
  expect(await tested.start()).toBe(8080);
  await tested.replaceAll();
  expect(workers.map(({ calls }) => calls)).toEqual([["stop SIGHUP", "kill"], ["stop SIGHUP"], [], []]);
  expect(tested.serving()).toEqual(workers.slice(2));
  expect(tested.crashes()).toBe(0);
  expect(await tested.stop("SIGTERM")).toBe(true);
});

it("keeps its workers if the system creates no process", async () => {
  createWorker.mockImplementation((socketPath) => fakeWorker(socketPath, true));
  const tested = group(2);
  await tested.start();
  createWorker.mockImplementation(() => {
    throw new Error("spawn ENOMEM");
  });
  await tested.replaceAll();
  expect(workers.map(({ calls }) => calls)).toEqual([[], []]);
  expect(tested.serving()).toEqual(workers);
  expect(await tested.stop("SIGTERM")).toBe(true);
});

it("does not start if the system creates no process", async () => {
  createWorker.mockImplementation(() => {
    throw new Error("spawn ENOMEM");
  });
  const tested = group(2);
  expect(await tested.start()).toBeUndefined();
  expect(await tested.stop("SIGTERM")).toBe(true);
});

it("kills a worker that does not answer any more, and replaces it", async () => {
  createWorker.mockImplementation((socketPath) => fakeWorker(socketPath, true));
  const tested = group(2);
  await tested.start();
  const [first, second] = workers;
  if (first === undefined || second === undefined) throw new Error("No workers were started.");
  first.hangs = true;
  await expect.poll(() => tested.serving().map(({ pid }) => pid)).toEqual([second.pid, 1_002]);
  expect(workers.map(({ calls }) => calls)).toEqual([["kill"], [], []]);
  expect(lines).toMatchObject([
    {
      worker: first.pid,
      at: ["countForEver /srv/host.js:1:2"],
      msg: "worker does not answer: it is killed",
    },
    { worker: first.pid, msg: "worker ended: another one replaces it" },
  ]);
  expect(tested.crashes()).toBe(1);
  expect(await tested.stop("SIGTERM")).toBe(true);
});

it("counts and logs each worker that ends before it serves", async () => {
  createWorker.mockImplementation((socketPath) => fakeWorker(socketPath, true));
  const tested = group(2);
  await tested.start();
  for (let nth = 0; nth < 2; nth += 1)
    createWorker.mockImplementationOnce((socketPath) => ({
      ...fakeWorker(socketPath, true),
      serving: Promise.resolve(undefined),
    }));
  workers[0]?.kill();
  await expect.poll(() => tested.serving().map(({ pid }) => pid), { timeout: 5_000 }).toEqual([1_001, 1_004]);
  expect(tested.crashes()).toBe(3);
  expect(lines).toMatchObject([
    { msg: "worker ended: another one replaces it" },
    { worker: 1_002, msg: "worker did not serve" },
    { worker: 1_003, msg: "worker did not serve" },
  ]);
  expect(await tested.stop("SIGTERM")).toBe(true);
});

it("leaves a silent worker that is being replaced to the deadline of the replacement", async () => {
  createWorker.mockImplementation((socketPath) => fakeWorker(socketPath, workers.length !== 0));
  const tested = group(1);
  await tested.start();
  const [old] = workers;
  if (old === undefined) throw new Error("No worker was started.");
  const replaced = tested.replaceAll();
  old.hangs = true;
  await replaced;
  expect(old.calls).toEqual(["stop SIGHUP", "kill"]);
  expect(tested.crashes()).toBe(0);
  expect(await tested.stop("SIGTERM")).toBe(true);
});

it("lets a worker that is being replaced complete its work when the host stops", async () => {
  createWorker.mockImplementation((socketPath) => fakeWorker(socketPath, workers.length !== 0));
  const tested = group(1, 60_000);
  await tested.start();
  const replaced = tested.replaceAll();
  await expect.poll(() => workers[0]?.calls).toEqual(["stop SIGHUP"]);
  const stopped = tested.stop("SIGTERM");
  expect(workers.map(({ calls }) => calls)).toEqual([["stop SIGHUP"], ["stop SIGTERM"]]);
  // The second signal ends every worker at once.
  void tested.stop("SIGINT");
  expect(workers[0]?.calls).toEqual(["stop SIGHUP", "stop SIGINT"]);
  workers[0]?.kill();
  await replaced;
  expect(await stopped).toBe(false);
});

/** Lets the next worker serve only when the test says so. */
function startSlowly(): { readonly serve: () => void } {
  let serve: () => void = () => undefined;
  const serving = new Promise<number>((resolve) => (serve = () => resolve(8080)));
  createWorker.mockImplementationOnce((socketPath) => ({ ...fakeWorker(socketPath, true), serving }));
  return { serve };
}

it("also replaces a worker that was starting when the replacement was requested", async () => {
  createWorker.mockImplementation((socketPath) => fakeWorker(socketPath, true));
  const tested = group(1);
  await tested.start();
  const { serve } = startSlowly();
  workers[0]?.kill();
  await expect.poll(() => workers).toHaveLength(2);
  const replaced = tested.replaceAll();
  serve();
  await replaced;
  expect(workers.map(({ calls }) => calls)).toEqual([["kill"], ["stop SIGHUP"], []]);
  expect(await tested.stop("SIGTERM")).toBe(true);
});

it("replaces the workers after the start if it was requested during the start", async () => {
  createWorker.mockImplementation((socketPath) => fakeWorker(socketPath, true));
  const { serve } = startSlowly();
  const tested = group(2);
  const started = tested.start();
  const replaced = tested.replaceAll();
  serve();
  await started;
  await replaced;
  expect(workers.map(({ calls }) => calls)).toEqual([["stop SIGHUP"], ["stop SIGHUP"], [], []]);
  expect(await tested.stop("SIGTERM")).toBe(true);
});

it("replaces no worker if the start failed", async () => {
  createWorker.mockImplementation(() => {
    throw new Error("spawn ENOMEM");
  });
  createWorker.mockImplementationOnce((socketPath) => fakeWorker(socketPath, true));
  const tested = group(2);
  const started = tested.start();
  const replaced = tested.replaceAll();
  expect(await started).toBeUndefined();
  await replaced;
  expect(createWorker).toHaveBeenCalledTimes(2);
  expect(await tested.stop("SIGTERM")).toBe(true);
});

/** The metrics of a worker with one answered request and 100 bytes of memory. */
const metricsOf = (ready: number) =>
  [
    "# TYPE tillkit_requests_total counter",
    "tillkit_requests_total 1",
    "# TYPE process_memory_usage_bytes gauge",
    "process_memory_usage_bytes 100",
    "# TYPE tillkit_ready gauge",
    `tillkit_ready ${ready}`,
  ].join("\n");

it("is as ready as the workers that serve while one of them is being replaced", async () => {
  createWorker.mockImplementation((socketPath) => fakeWorker(socketPath, workers.length !== 0));
  const tested = group(2, 60_000);
  await tested.start();
  const [old] = workers;
  if (old === undefined) throw new Error("No worker was started.");
  const replaced = tested.replaceAll();
  await expect.poll(() => old.calls).toEqual(["stop SIGHUP"]);
  // A worker that stops answers requests until its end, and is not ready.
  for (const worker of workers) worker.text = metricsOf(worker === old ? 0 : 1);
  expect(tested.serving()).toEqual(workers.slice(1));
  expect((await tested.metrics(20)).split("\n")).toEqual(
    expect.arrayContaining(["tillkit_requests_total 3", "process_memory_usage_bytes 300", "tillkit_ready 1"]),
  );
  old.kill();
  await replaced;
  expect(await tested.stop("SIGTERM")).toBe(true);
});

it("reports no old state of a worker that does not answer", async () => {
  createWorker.mockImplementation((socketPath) => fakeWorker(socketPath, true));
  const tested = group(1);
  await tested.start();
  const [worker] = workers;
  if (worker === undefined) throw new Error("No worker was started.");
  worker.text = metricsOf(1);
  expect(await tested.metrics(20)).toContain("tillkit_ready 1");
  worker.hangs = true;
  const text = await tested.metrics(20);
  expect(text).toContain("tillkit_requests_total 1");
  expect(text).not.toContain("tillkit_ready");
  expect(await tested.stop("SIGTERM")).toBe(true);
});
