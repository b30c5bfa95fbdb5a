import assert from "node:assert/strict";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { z } from "zod";
import { type Caller, callerOf } from "./caller.js";
import { dropDatabase } from "./create-database.js";
import { prepare, type Prepared } from "./prepare.js";
import { type Addresses, addressesOf, type Program, startProgram } from "./program.js";

/** A host that serves during a rehearsal. */
export interface RehearsedHost extends Addresses {
  /** Sends requests with the credentials of an app. */
  readonly caller: Caller;
}

/** Options of {@link rehearse}. */
export interface RehearseOptions {
  /** The program that calls `serveTillkit`, such as `new URL("main.js", import.meta.url)`. */
  readonly main: URL;
  /** A PostgreSQL server, with a role that may create databases and roles. */
  readonly serverUrl: string;
  /** Environment variables of the host, in addition to the variables of the rehearsal. */
  readonly environment?: Readonly<Record<string, string>>;
  /** Your own checks, after the first payment. A rejection ends the rehearsal. */
  readonly check?: (host: RehearsedHost) => Promise<void>;
  /** Receives each result, in one line. Defaults to the standard output. */
  readonly print?: (line: string) => void;
}

const created = z.object({ code: z.literal(0), data: z.object({ biz_content: z.string() }) });
const terms = z.object({ out_trade_no: z.string() });
const status = z.object({ data: z.object({ paymentStatus: z.string() }) });
/** How long a payment may take to arrive, in milliseconds. */
const PATIENCE_MS = 30_000;
const DETAIL = "/detail.json?bizNo=first-day-1&customerIdentity=user-1";

/**
 * Rehearses a first day in production on this machine, with the program of your host.
 *
 * Creates and migrates a database, starts the host with a role of its own, pays an order in the
 * sandbox, reads the metrics, and stops the host with `SIGTERM`. Then starts the host with two
 * workers, replaces the workers, reads the order and the metrics again, and stops the host. Drops
 * the database at the end.
 *
 * @returns resolves if everything worked, and rejects if a step fails. If the host ends too early
 *   or with an error, the message contains the output of the host.
 * @example
 * ```ts
 * import { rehearse } from "@tillkit/server/rehearsal";
 *
 * const serverUrl = "postgres://postgres:postgres@127.0.0.1:5432/postgres";
 * await rehearse({ main: new URL("main.js", import.meta.url), serverUrl });
 * ```
 */
export async function rehearse({ serverUrl, print = printLine, ...options }: RehearseOptions): Promise<void> {
  if (serverUrl === "")
    throw new Error(
      "The rehearsal needs a PostgreSQL server: set its address, with a role that may create databases and roles.",
    );
  const folder = await mkdtemp(join(tmpdir(), "tillkit-rehearsal-"));
  const cleaning = [() => rm(folder, { recursive: true })];
  try {
    const prepared = await prepare(serverUrl, folder);
    cleaning.unshift(
      () => prepared.clean(),
      () => dropDatabase(serverUrl, prepared.ownerUrl),
    );
    print("Migrated the database, created the host's role, and set up an app.");
    const start = (changes: Readonly<Record<string, string>>): Program => {
      const args = [...process.execArgv, fileURLToPath(options.main)];
      const program = startProgram({ ...prepared.environment, ...options.environment, ...changes }, args);
      cleaning.unshift(() => kill(program));
      return program;
    };
    await rehearseOneProcess(start({}), prepared, options.check, print);
    await rehearseWorkers(start({ WALLETS: "live", WORKERS: "2" }), prepared);
    print("Two workers served, were replaced, and shut down cleanly.");
  } finally {
    for (const clean of cleaning) await clean();
  }
}

async function rehearseOneProcess(
  program: Program,
  prepared: Prepared,
  check: RehearseOptions["check"],
  print: (line: string) => void,
): Promise<void> {
  const { api, admin } = await addressesOf(program);
  assert.equal((await fetch(`${admin}/health/ready`)).status, 200);
  print(`The host is ready on ${api}.`);
  const caller = callerOf(api, prepared);
  const order = { bizNo: "first-day-1", amount: 600, goodsTitle: "One month", payChannel: "WALLET_B" };
  const made = created.parse(await caller.post("/order.json", { ...order, customerIdentity: "user-1" }));
  const { out_trade_no: outTradeNo } = terms.parse(JSON.parse(made.data.biz_content));
  await fetch(`${admin}/sandbox/pay`, { method: "POST", body: JSON.stringify({ outTradeNo }) });
  await untilPaid(caller);
  const metrics = await (await fetch(`${admin}/metrics`)).text();
  assert.match(metrics, /tillkit_order_transitions_total\{from="PENDING",to="PAID"\} 1/);
  print("A customer paid an order, and the metrics show it.");
  await check?.({ api, admin, caller });
  await stop(program);
  print("The host shut down cleanly.");
}

/** Reads the order until it is paid. On a busy machine, the sandbox may need some seconds. */
async function untilPaid(caller: Caller): Promise<void> {
  for (const until = Date.now() + PATIENCE_MS; ;) {
    const { paymentStatus } = status.parse(await caller.get(DETAIL)).data;
    if (paymentStatus === "PAID") return;
    if (Date.now() > until) throw new Error(`The order is still ${paymentStatus} after it was paid.`);
    await pause(200);
  }
}

async function rehearseWorkers(program: Program, prepared: Prepared): Promise<void> {
  const { api, admin } = await addressesOf(program);
  program.child.kill("SIGHUP");
  await program.line((line) => line.includes("the replacement of the workers ended"));
  assert.equal(status.parse(await callerOf(api, prepared).get(DETAIL)).data.paymentStatus, "PAID");
  const sums = await (await fetch(`${admin}/metrics`)).text();
  assert.match(sums, /tillkit_workers\{state="serving"\} 2/);
  await stop(program);
}

async function stop(program: Program): Promise<void> {
  program.child.kill("SIGTERM");
  assert.equal(await program.ended, 0, program.output());
}

async function kill(program: Program): Promise<void> {
  program.child.kill("SIGKILL");
  await program.ended;
}

function printLine(line: string): void {
  process.stdout.write(`${line}\n`);
}
