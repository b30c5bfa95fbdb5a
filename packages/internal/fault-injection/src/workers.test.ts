import { once } from "node:events";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { Agent, createServer, type IncomingMessage, request } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { builtProgram } from "@tillkit/built-program";
import { GAUGES } from "../../../server/src/workers/sum-metrics.js";
import { callerOf } from "../../../server/src/rehearsal/caller.js";
import { addressesOf, type Program, startProgram } from "../../../server/src/rehearsal/program.js";
import { afterAll, afterEach, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { z } from "zod";
import { openFixture, type TestFixture } from "./testing/fixture.js";

let main: string;
let fixture: TestFixture;
beforeAll(async () => {
  main = await builtProgram(new URL("../../../server/src/testing/server-program.ts", import.meta.url));
  fixture = await openFixture();
});
afterAll(() => fixture.clean());

const programs: Program[] = [];
/** Starts a host with two workers. No test calls a wallet, so the real adapters do. */
function start(changes: Readonly<Record<string, string>> = {}): Program {
  const live = { WALLETS: "live", SANDBOX_STATE_FILE: "", WORKERS: "2", DRAIN_DELAY_MS: "500" };
  const program = startProgram({ ...fixture.environment, ...live, ...changes }, [main]);
  programs.push(program);
  return program;
}
afterEach(async () => {
  fixture.gateway.answer(202);
  fixture.gateway.release();
  for (const program of programs.splice(0)) {
    // The workers end with their supervisor.
    program.child.kill("SIGKILL");
    await program.ended;
  }
});

const logLine = z.object({ msg: z.string(), pid: z.int() });

/** Returns the process ids of the workers that were ready so far, the oldest first. */
function workersOf(program: Program): readonly number[] {
  return program
    .output()
    .split("\n")
    .filter((line) => line.includes('"msg":"worker ready"'))
    .map((line) => logLine.parse(JSON.parse(line)).pid);
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

async function until(met: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await met())) await pause(20);
}

async function readiness(admin: string): Promise<unknown> {
  const response = await fetch(`${admin}/health/ready`);
  const body: unknown = await response.json();
  return { status: response.status, body };
}

/** Returns the value of a metric without labels, or the sum over all labels. */
async function metricOf(admin: string, name: string): Promise<number> {
  const text = await (await fetch(`${admin}/metrics`)).text();
  return text
    .split("\n")
    .filter((line) => line.startsWith(`${name}{`) || line.startsWith(`${name} `))
    .reduce((sum, line) => sum + Number(line.slice(line.lastIndexOf(" ") + 1)), 0);
}

/** Longer than a request takes on a busy machine. A request without an answer has failed. */
const REQUEST_MS = 20_000;

/** Sends one request, on a connection of `agent`. Resolves with the status. */
async function statusOf(url: string, agent: Agent): Promise<number> {
  const { appId, appSecret } = fixture;
  const signal = AbortSignal.timeout(REQUEST_MS);
  const sent = request(url, { agent, signal, headers: { APP_ID: appId, APP_SECRET: appSecret } });
  const answered = new Promise<IncomingMessage>((resolve, reject) => {
    sent.once("response", resolve).once("error", reject);
  });
  sent.end();
  const response = await answered;
  response.resume();
  await once(response, "end");
  return Number(response.statusCode);
}

/** Sends requests one after the other from several clients until `end`. */
function load(api: string, clients: number, keepAlive: boolean) {
  let [ended, answers] = [false, 0];
  const failures: string[] = [];
  const client = async (): Promise<void> => {
    const agent = new Agent({ keepAlive, maxSockets: 1 });
    while (!ended) {
      const outcome = await statusOf(`${api}/pay/payTools.json`, agent).catch(String);
      if (outcome === 200) answers += 1;
      else failures.push(String(outcome));
    }
    agent.destroy();
  };
  const running = Promise.all(Array.from({ length: clients }, client));
  const end = async () => {
    ended = true;
    await running;
    return { answers, failures };
  };
  return { answers: () => answers, end };
}

describe("a host with two workers", { tags: "slow" }, () => {
  it("replaces its workers without a failed request, and its counters never decrease", async () => {
    // Longer than the pause of a client between two requests, even on a busy machine: at the end
    // of the delay, the host closes idle connections, and a request on such a connection fails.
    const program = start({ DRAIN_DELAY_MS: "3000" });
    const { api, admin } = await addressesOf(program);
    const first = workersOf(program);
    const loads = [load(api, 4, true), load(api, 2, false)];
    await until(() => loads.every(({ answers }) => answers() > 20));
    program.child.kill("SIGHUP");
    let counted = 0;
    const replaced = program.line((line) => line.includes("the replacement of the workers ended"));
    let over = false;
    void replaced.finally(() => (over = true));
    await until(async () => {
      const requests = await metricOf(admin, "tillkit_requests_total");
      expect(requests).toBeGreaterThanOrEqual(counted);
      counted = requests;
      expect(await readiness(admin)).toMatchObject({ status: 200, body: { workers: { serving: 2 } } });
      expect(await metricOf(admin, "tillkit_ready")).toBe(1);
      expect((await fetch(`${admin}/dashboard/api/audit`)).status).toBe(401);
      return over;
    });
    await replaced;
    const before = loads.map(({ answers }) => answers());
    await until(() => loads.every(({ answers }, nth) => answers() > (before[nth] ?? 0) + 20));
    const results = await Promise.all(loads.map(({ end }) => end()));
    expect(results.flatMap(({ failures }) => failures)).toEqual([]);
    const pids = workersOf(program);
    expect(pids).toHaveLength(4);
    expect(new Set(pids).size).toBe(4);
    for (const pid of first) expect(() => process.kill(pid, 0)).toThrow("ESRCH");
    const answers = results.reduce((sum, one) => sum + one.answers, 0);
    expect(await metricOf(admin, "tillkit_requests_total")).toBe(answers);
  });

  it("keeps its workers if new ones do not start, and replaces them after a correction", async () => {
    const folder = await mkdtemp(join(tmpdir(), "tillkit-policy-"));
    onTestFinished(() => rm(folder, { recursive: true }));
    const policyFile = join(folder, "policy.json");
    await writeFile(policyFile, "{}");
    const program = start({ TILLKIT_POLICY_FILE: policyFile });
    const { admin } = await addressesOf(program);
    const first = workersOf(program);
    await writeFile(policyFile, '{ "orderTtl": -1 }');
    program.child.kill("SIGHUP");
    await program.line((line) => line.includes("the replacement of the workers ended"));
    expect(program.output()).toContain("because a new worker did not start");
    expect(workersOf(program)).toEqual(first);
    expect(await readiness(admin)).toMatchObject({ status: 200, body: { workers: { serving: 2 } } });
    await writeFile(policyFile, "{}");
    program.child.kill("SIGHUP");
    await until(() => workersOf(program).length === 4);
  });

  it("replaces a worker that hangs", async () => {
    const program = start({ WORKER_DEADLINE_MS: "8000" });
    const { admin } = await addressesOf(program);
    const [hanging = 0] = workersOf(program);
    // A stopped process does not end with its supervisor.
    onTestFinished(() => {
      if (isAlive(hanging)) process.kill(hanging, "SIGKILL");
    });
    process.kill(hanging, "SIGSTOP");
    const line = await program.line((one) => one.includes('"msg":"worker does not answer: it is killed"'));
    expect(z.object({ worker: z.int() }).parse(JSON.parse(line)).worker).toBe(hanging);
    await until(() => workersOf(program).length >= 3);
    expect(isAlive(hanging)).toBe(false);
    expect(await metricOf(admin, "tillkit_worker_crashes_total")).toBeGreaterThanOrEqual(1);
  });

  it("replaces a worker that was killed", async () => {
    const program = start();
    const { api, admin } = await addressesOf(program);
    const [killed = 0] = workersOf(program);
    process.kill(killed, "SIGKILL");
    await until(() => workersOf(program).length === 3);
    await until(async () => (await metricOf(admin, "tillkit_worker_crashes_total")) === 1);
    expect(await readiness(admin)).toMatchObject({
      status: 200,
      body: { ready: true, workers: { configured: 2, serving: 2 } },
    });
    const results = await Promise.all(
      Array.from({ length: 8 }, () => callerOf(api, fixture).get("/payTools.json")),
    );
    for (const answer of results) expect(answer).toMatchObject({ code: 0 });
  });

  it("keeps its workers if a library sends them a message of its own", async () => {
    const library = `
      import cluster from "node:cluster";
      cluster.on("listening", (worker) => worker.send({ topic: "library" }));
      if (cluster.isWorker) process.on("message", ({ topic }) => topic && console.log("received"));`;
    const program = start({ NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(library)}` });
    const { admin } = await addressesOf(program);
    await until(() => program.output().split("received").length > 2);
    expect(await metricOf(admin, "tillkit_worker_crashes_total")).toBe(0);
    expect(await readiness(admin)).toMatchObject({ status: 200, body: { workers: { serving: 2 } } });
  });

  it("ends with an error if its workers crash again and again", async () => {
    const crash = `
      const send = process.send?.bind(process);
      if (send) process.send = (message, ...rest) => {
        if (message?.type === "serving") setTimeout(() => process.exit(7), 100);
        return send(message, ...rest);
      };`;
    const program = start({ NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(crash)}` });
    expect(await program.ended).toBe(1);
    expect(program.output()).toContain("workers end again and again, and none serves");
  });

  it("ends with the worker's reason if no worker starts", async () => {
    const program = start({ DATABASE_URL: "postgres://host:db-secret@127.0.0.1:1/pay" });
    expect(await program.ended).toBe(1);
    const lines = program.output().split("\n");
    const reason = "The database at DATABASE_URL cannot be queried: connect ECONNREFUSED 127.0.0.1:1.";
    expect(lines.filter((line) => line === reason)).toHaveLength(1);
    expect(program.output()).toContain("the host did not start, because a worker did not start");
  });

  it.each(["PORT", "ADMIN_PORT"])("ends with one line if %s is in use", async (name) => {
    const other = createServer().listen(0, "127.0.0.1");
    onTestFinished(() => void other.close());
    await once(other, "listening");
    const address = other.address();
    const port = typeof address === "object" && address !== null ? String(address.port) : "";
    const program = start({ HOST: "127.0.0.1", [name]: port });
    expect(await program.ended).toBe(1);
    const lines = program.output().split("\n");
    expect(lines.filter((line) => line.startsWith("Cannot listen: "))).toHaveLength(1);
  });

  it("ends its workers if the supervisor is killed", async () => {
    const hanging = 'process.on("SIGUSR2", () => { for (;;); });';
    const program = start({ NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(hanging)}` });
    await addressesOf(program);
    const pids = workersOf(program);
    expect(pids).toHaveLength(2);
    // A worker that hangs does not notice that its supervisor has gone.
    const [first = 0] = pids;
    onTestFinished(() => {
      if (isAlive(first)) process.kill(first, "SIGKILL");
    });
    process.kill(first, "SIGUSR2");
    program.child.kill("SIGKILL");
    await program.ended;
    for (const pid of pids) await expect.poll(() => isAlive(pid), { timeout: 30_000 }).toBe(false);
  });

  it("completes running requests at SIGTERM, and exits with 0", async () => {
    fixture.gateway.answer("hold");
    const program = start({ DRAIN_DELAY_MS: "0" });
    const { admin, api } = await addressesOf(program);
    const answer = callerOf(api, fixture).get("/sms.json?mobileNo=13800138101");
    answer.catch(() => undefined);
    await fixture.gateway.holding();
    program.child.kill("SIGTERM");
    await program.line((line) => line.includes('"msg":"stopping all workers"'));
    expect(await readiness(admin)).toMatchObject({ status: 503, body: { ready: false, why: "stopping" } });
    await until(() =>
      fetch(`${api}/pay/payTools.json`).then(
        () => false,
        () => true,
      ),
    );
    fixture.gateway.release();
    expect(await answer).toMatchObject({ code: 0 });
    expect(await program.ended).toBe(0);
    for (const pid of workersOf(program)) expect(() => process.kill(pid, 0)).toThrow("ESRCH");
  });

  it("exits with 1 at a second signal", async () => {
    fixture.gateway.answer("hold");
    const program = start({ DRAIN_DELAY_MS: "0" });
    const { api } = await addressesOf(program);
    const answer = callerOf(api, fixture).get("/sms.json?mobileNo=13800138102");
    answer.catch(() => undefined);
    await fixture.gateway.holding();
    program.child.kill("SIGTERM");
    await program.line((line) => line.includes('"msg":"stopping all workers"'));
    program.child.kill("SIGTERM");
    expect(await program.ended).toBe(1);
    expect(program.output()).toContain("SIGTERM was received twice");
  });

  it("shows the metrics of both workers as one, and serves the dashboard", async () => {
    const program = start();
    const { api, admin } = await addressesOf(program);
    // Each new connection goes to the next worker.
    for (let nth = 0; nth < 6; nth += 1) {
      const agent = new Agent();
      expect(await statusOf(`${api}/pay/payTools.json`, agent)).toBe(200);
    }
    const text = await (await fetch(`${admin}/metrics`)).text();
    expect(text).toContain(
      'tillkit_requests_total{method="GET",route="/payTools.json",code="0",status="200"} 6\n',
    );
    expect(text).toContain('tillkit_workers{state="serving"} 2\n');
    expect(text).toContain("tillkit_record_readable 1\n");
    const gauges = [...text.matchAll(/^# TYPE (\S+) gauge$/gm)].map(([, name]) => name);
    expect(gauges.filter((name) => name !== "tillkit_workers").every((name) => name && name in GAUGES)).toBe(
      true,
    );
    // A route that needs no build of the page.
    const audit = await fetch(`${admin}/dashboard/api/audit`);
    expect(audit.status).toBe(401);
    expect(audit.headers.get("content-security-policy")).toContain("default-src 'none'");
    expect((await fetch(`${admin}/nothing`)).status).toBe(404);
  });
});
