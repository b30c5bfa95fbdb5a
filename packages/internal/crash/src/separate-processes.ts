import { mkdtemp, rm } from "node:fs/promises";
import { createServer } from "node:net";
import { once } from "node:events";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { builtProgram } from "@tillkit/built-program";
import { startPostgres } from "@tillkit/local-postgres";
import { callerOf } from "./testing/caller.js";
import { at } from "./testing/json.js";
import { factsOf, type Process, startProcess } from "./testing/program.js";
import type { CrashSetup } from "./host-setup.js";
import type { CrashEnvironment } from "./crash-environment.js";

/** Where a crash test run stores its orders: in the host's folder, or on a database server. */
export type CrashStorage = "pglite" | "postgres";

const HOST = await builtProgram(new URL("host-program.ts", import.meta.url));
const SANDBOX = await builtProgram(new URL("../../../sandbox/src/main.ts", import.meta.url));

/**
 * Starts a host, the sandbox and the database in separate processes, so that each can be killed.
 *
 * A crash test run never kills the sandbox.
 */
export async function separateProcesses(storage: CrashStorage): Promise<CrashEnvironment> {
  const folder = await mkdtemp(join(tmpdir(), "tillkit-crash-"));
  const dataDir = join(folder, "host");
  const sandboxDir = join(folder, "sandbox");
  const server = storage === "postgres" ? await startPostgres({ durable: true }) : undefined;
  const sandbox = startProcess([SANDBOX], { PORT: "0", DATA_DIR: sandboxDir });
  await sandbox.waitForOutput("control ");
  const port = await quietPort();
  let ahead = 0;
  let host: Process | undefined;
  const operator = async (call: string, body?: object): Promise<unknown> => {
    const headers = { "content-type": "application/json" };
    const init = body === undefined ? {} : { headers, body: JSON.stringify(body) };
    const url = `http://127.0.0.1:${String(port)}/operator/${call}`;
    return (await fetch(url, { method: "POST", ...init })).json();
  };
  return {
    startHost: async () => {
      const databaseUrl = server?.url;
      const setup: CrashSetup = {
        port,
        dataDir,
        databaseUrl,
        ahead,
        sandboxFile: join(sandboxDir, "sandbox.json"),
      };
      host = startProcess([HOST], { CRASH_SETUP: JSON.stringify(setup) });
      const facts = await factsOf({ ...host, dataDir }, "ready\n");
      return {
        caller: callerOf(facts),
        serviceTypeNo: facts.serviceTypeNo,
        refund: (refundRequest) =>
          operator("refund", { ...refundRequest, reason: "a crash", operator: "nobody" }),
      };
    },
    killHost: async () => host?.kill(),
    ...(server === undefined ? {} : { database: server }),
    advance: async ({ caller }, advanceMs) => {
      // Moves the host's clock first. Otherwise a notification could have a time in the host's
      // future.
      await operator(`clock?advanceMs=${String(advanceMs)}`);
      ahead += advanceMs;
      const now = Number(at(await caller.control("clock", { advanceMs }), "now"));
      await operator("reconcile");
      return now;
    },
    ledgerFile: join(sandboxDir, "state.jsonl"),
    dataDir,
    databaseUrl: server?.url,
    clean: async () => {
      await Promise.all([host?.kill(), sandbox.kill()]);
      await server?.stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/**
 * Finds a free port below the range of outgoing connections.
 *
 * A connection could otherwise take the port while the host is dead.
 */
async function quietPort(): Promise<number> {
  for (;;) {
    const port = 20_000 + Math.floor(Math.random() * 10_000);
    const probe = createServer();
    const free = once(probe.listen(port, "127.0.0.1"), "listening").then(
      () => true,
      () => false,
    );
    if (!(await free)) continue;
    probe.close();
    await once(probe, "close");
    return port;
  }
}
