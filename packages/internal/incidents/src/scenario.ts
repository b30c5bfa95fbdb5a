import { copyFile, mkdir } from "node:fs/promises";
import { join } from "node:path";
import { builtProgram } from "@tillkit/built-program";
import type { LocalPostgres } from "@tillkit/local-postgres";
import { dropDatabase } from "../../../server/src/rehearsal/create-database.js";
import { callerOf } from "../../../server/src/rehearsal/caller.js";
import { prepare } from "../../../server/src/rehearsal/prepare.js";
import { type Program, startProgram } from "../../../server/src/rehearsal/program.js";
import pg from "pg";
import { z } from "zod";
import { freePort } from "./free-port.js";

const HOST = builtProgram(new URL("../../../server/src/testing/server-program.ts", import.meta.url));
const SANDBOX = builtProgram(new URL("../../../sandbox/src/main.ts", import.meta.url));
const GRANTS = builtProgram(new URL("grants-program.ts", import.meta.url));
const CLI = builtProgram(new URL("../../../cli/src/main.ts", import.meta.url));

const paid = z.object({ outTradeNo: z.string() });
const created = z.object({ code: z.int(), data: z.record(z.string(), z.unknown()).nullish() });

/** The output of a command. */
export interface CommandOutput {
  readonly exitCode: number;
  readonly text: string;
}

/** A host of two workers with its own database and wallets, and the ways to disturb it. */
export interface Scenario {
  readonly server: LocalPostgres;
  /** An empty folder. */
  readonly folder: string;
  /** The environment of the host. */
  readonly environment: Readonly<Record<string, string>>;
  /** The role of the host. */
  readonly role: string;
  /** The name of the database. */
  readonly database: string;
  /** Where Prometheus reads metrics, as `host:port`. */
  targets(): readonly string[];
  readonly appId: string;
  /** Starts the host and waits until it serves. */
  startHost(changes?: Readonly<Record<string, string>>): Promise<void>;
  /** Starts a process that receives the events of paid orders, and never answers or fails. */
  startGrants(how: "hang" | "throw"): Promise<void>;
  /** Sends a signal to the host. After SIGTERM, resolves when the host has ended. */
  signalHost(signal: "SIGTERM" | "SIGHUP"): Promise<void>;
  /** The process ids of the workers that were started, the oldest first. */
  workers(): readonly number[];
  /** Returns the lines of the host's log. */
  log(): readonly string[];
  /** Runs `statements` as the owner of the tables, by default in the database of the host. */
  asOwner(statements: string, database?: string): Promise<void>;
  /** Calls the payments endpoints: a POST if there is a body. Returns the code of the response. */
  ask(path: string, body?: object): Promise<number>;
  /** Creates an order. Returns what the sandbox needs to pay it, or `undefined` after a refusal. */
  order(bizNo: string, payChannel?: "WALLET_A" | "WALLET_B"): Promise<object | undefined>;
  /** Creates an order, and the customer pays it. Returns its number at the wallet. */
  buy(bizNo: string, payChannel?: "WALLET_A" | "WALLET_B"): Promise<string | undefined>;
  /** Calls the control interface of the sandbox. */
  control(path: string, body: object): Promise<unknown>;
  /** Runs a command of `tillkit` as the owner of the tables. */
  tillkit(args: readonly string[]): Promise<CommandOutput>;
  /** Runs `work` after the database was dropped. */
  afterwards(work: () => Promise<void>): void;
  close(): Promise<void>;
}

/** Prepares a database on `server`, and starts the sandbox. The host is not started. */
export async function openScenario(
  server: LocalPostgres,
  folder: string,
  changes: Readonly<Record<string, string>> = {},
): Promise<Scenario> {
  const prepared = await prepare(server.url, folder);
  const wallets = await startSandbox(folder, prepared.environment["SANDBOX_STATE_FILE"] ?? "");
  const [port, adminPort] = [await freePort(), await freePort()];
  const api = `http://127.0.0.1:${port}`;
  const { SANDBOX_STATE_FILE: _unused, ...given } = prepared.environment;
  const environment = {
    ...given,
    ...wallets.gateways,
    WALLETS: "live",
    WORKERS: "2",
    PORT: String(port),
    ADMIN_PORT: String(adminPort),
    PUBLIC_URL: api,
    RECONCILE_EVERY_MS: "1000",
    // Prometheus must have an answer within its interval, also if the database does not answer.
    PROBE_DEADLINE_MS: "500",
    SMS_GATEWAY_URL: `${wallets.controlUrl}/sms`,
    SMS_GATEWAY_TOKEN: "rehearsal",
    ...changes,
  };
  const databaseUrl = new URL(prepared.environment["DATABASE_URL"] ?? "");
  const database = databaseUrl.pathname.slice(1);
  const caller = callerOf(api, prepared);
  const targets = [`127.0.0.1:${adminPort}`];
  const cleanUps: (() => Promise<void>)[] = [];
  let grants: Program | undefined;
  let host: Program | undefined;
  let before: readonly string[] = [];
  const log = (): readonly string[] => [
    ...before,
    ...(host?.output().split("\n") ?? []),
    ...(grants?.output().split("\n") ?? []),
  ];
  const stopHost = async (signal: "SIGTERM" | "SIGKILL"): Promise<void> => {
    before = [...before, ...(host?.output().split("\n") ?? [])];
    host?.child.kill(signal);
    await host?.ended;
    host = undefined;
  };
  const ask: Scenario["ask"] = async (path, body) => {
    const answer = await (body === undefined ? caller.get(path) : caller.post(path, body)).catch(
      () => undefined,
    );
    return z.object({ code: z.int() }).safeParse(answer).data?.code ?? -1;
  };
  const order: Scenario["order"] = async (bizNo, payChannel = "WALLET_B") => {
    const how = payChannel === "WALLET_A" ? { paySource: "NATIVE" } : {};
    const terms = { bizNo, payChannel, amount: 600, goodsTitle: "One month", customerIdentity: "user-1" };
    const answer = await caller.post("/order.json", { ...terms, ...how }).catch(() => undefined);
    const { data } = created.safeParse(answer).data ?? {};
    if (data === undefined || data === null) return undefined;
    return { payload: data };
  };
  const control: Scenario["control"] = async (path, body) =>
    (await fetch(`${wallets.controlUrl}${path}`, { method: "POST", body: JSON.stringify(body) })).json();
  return {
    server,
    folder,
    environment,
    role: databaseUrl.username,
    database,
    targets: () => targets,
    appId: prepared.appId,
    startHost: async (more = {}) => {
      const started = startProgram({ ...environment, ...more }, [await HOST]);
      host = started;
      await started.line((line) => line.includes('"msg":"ready"'));
    },
    startGrants: async (how) => {
      const grantsPort = await freePort();
      targets.push(`127.0.0.1:${grantsPort}`);
      const changed = { WORKERS: "1", ADMIN_PORT: String(grantsPort), GRANTS: how };
      grants = startProgram({ ...environment, ...changed }, [await GRANTS]);
      await grants.line((line) => line === "grants");
    },
    signalHost: async (signal) => {
      if (signal === "SIGTERM") return stopHost(signal);
      const current = host;
      current?.child.kill(signal);
      await current?.line((line) => line.includes("the replacement of the workers ended"));
    },
    workers: () =>
      log()
        .filter((line) => line.includes('"msg":"worker ready"'))
        .map((line) => z.object({ pid: z.int() }).parse(JSON.parse(line)).pid),
    log,
    asOwner: async (statements, other = database) => {
      const url = new URL(server.url);
      url.pathname = `/${other}`;
      const client = new pg.Client({ connectionString: url.href });
      await client.connect();
      try {
        await client.query(statements);
      } finally {
        await client.end();
      }
    },
    ask,
    order,
    buy: async (bizNo, payChannel) => {
      const shown = await order(bizNo, payChannel);
      if (shown === undefined) return undefined;
      return paid.safeParse(await control("/pay", shown)).data?.outTradeNo;
    },
    control,
    tillkit: (args) => runCommand(args, { ...environment, DATABASE_URL: prepared.ownerUrl }),
    afterwards: (work) => cleanUps.push(work),
    close: async () => {
      await stopHost("SIGKILL");
      for (const program of [grants, wallets]) {
        program?.child.kill("SIGKILL");
        await program?.ended;
      }
      await prepared.clean().catch(() => undefined);
      await dropDatabase(server.url, prepared.ownerUrl);
      for (const work of cleanUps) await work();
    },
  };
}

/** Runs a command of `tillkit`. It reads the same variables as the host. */
async function runCommand(
  args: readonly string[],
  environment: Readonly<Record<string, string>>,
): Promise<CommandOutput> {
  const program = startProgram(environment, [await CLI, ...args]);
  const exitCode = (await program.ended) ?? -1;
  return { exitCode, text: program.output() };
}

/** Starts the sandbox with the keys and the merchant of `stateFile`. */
async function startSandbox(folder: string, stateFile: string) {
  const dataDir = join(folder, "sandbox");
  await mkdir(dataDir);
  await copyFile(stateFile, join(dataDir, "state.jsonl"));
  const program = startProgram({ NODE_ENV: "test", PORT: "0", DATA_DIR: dataDir }, [await SANDBOX]);
  const addressIn = async (name: string): Promise<string> => {
    const line = await program.line((text) => text.startsWith(name));
    return line.slice(name.length).trim();
  };
  return {
    ...program,
    controlUrl: await addressIn("control"),
    gateways: {
      TILLKIT_WALLET_A_GATEWAY: await addressIn("WALLET_A"),
      TILLKIT_WALLET_B_GATEWAY: await addressIn("WALLET_B"),
    },
  };
}
