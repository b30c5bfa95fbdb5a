import { type ChildProcess, execFile, spawn } from "node:child_process";
import { rmSync } from "node:fs";
import { chmod, chown, cp, mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { onExit } from "signal-exit";
import { copyBinaries } from "./binaries.js";
import { freePort } from "./free-port.js";

/** A running server. */
export interface LocalPostgres {
  /** The URL for the superuser, on 127.0.0.1. */
  readonly url: string;
  /**
   * Stops all processes of the server: connections stay and nothing is answered until `resume`.
   *
   * Works on Linux only.
   */
  readonly suspend: () => Promise<void>;
  readonly resume: () => Promise<void>;
  /** Disconnects all clients and stops the server. The data stays for `start`. */
  readonly halt: () => Promise<void>;
  /**
   * Kills the server with SIGKILL. Its sessions end soon afterwards.
   *
   * Committed data stays for `start` if the server was started with `durable`.
   */
  readonly kill: () => Promise<void>;
  /** Starts the server again on the same port. */
  readonly start: () => Promise<void>;
  /** Stops the server and deletes its data. */
  readonly stop: () => Promise<void>;
}

/** How to start a server. */
export interface StartPostgresOptions {
  /** The folder of the server's programs. Defaults to those that npm installed. */
  readonly programs?: string | undefined;
  /**
   * Whether committed data survives a kill of the server, which costs speed.
   *
   * It may be lost if the machine fails.
   */
  readonly durable?: boolean;
  /** Whether local connections need no password, as between the nodes of a cluster. */
  readonly trust?: boolean;
  /** Server settings that replace the defaults for tests. */
  readonly settings?: Readonly<Record<string, string>>;
  /**
   * The folder of a base backup that the server starts from, instead of an empty database.
   *
   * The server copies the folder and recovers by the `restore_command` and the `recovery_target_…`
   * values in `settings`.
   */
  readonly baseBackup?: string | undefined;
}

type Identity = { readonly uid?: number; readonly gid?: number };

const SETTINGS = {
  listen_addresses: "127.0.0.1",
  unix_socket_directories: "",
  max_connections: "200",
  // Test data need not survive a failure of the machine.
  fsync: "off",
  full_page_writes: "off",
  shared_buffers: "128MB",
};

/** Without these settings, a killed server may lose commits and leave pages half written. */
const KEEPING = { synchronous_commit: "on", full_page_writes: "on" };

/**
 * Starts a PostgreSQL server in a temporary folder.
 *
 * Server and folder are removed when this process ends, unless SIGKILL ends it. If this process
 * runs as root, the server runs as an unprivileged user: PostgreSQL refuses to run as root.
 */
export async function startPostgres({
  programs,
  durable = false,
  trust = false,
  settings: given = {},
  baseBackup,
}: StartPostgresOptions = {}): Promise<LocalPostgres> {
  const folder = await mkdtemp(join(tmpdir(), "tillkit-postgres-"));
  let server: ChildProcess | undefined;
  const forget = onExit(() => {
    server?.kill("SIGQUIT");
    server?.kill("SIGCONT");
    // The server may be deleting its own files at the same time.
    rmSync(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 20 });
  });
  const stop = async (): Promise<void> => {
    await ended(server, "SIGINT");
    await rm(folder, { recursive: true, force: true });
    forget();
  };
  try {
    await chmod(folder, 0o755);
    const identity = process.getuid?.() === 0 ? await idOf("nobody") : {};
    const bin = programs ?? (await copyBinaries(join(folder, "server")));
    const data = join(folder, "data");
    await (baseBackup === undefined
      ? initialise(bin, data, trust, identity)
      : recover(baseBackup, data, identity));
    const port = await freePort();
    const settings = { ...SETTINGS, ...(durable ? KEEPING : {}), ...given, port: String(port) };
    const start = async (): Promise<void> => {
      await readyAtLast(async () => {
        const begun = spawned(join(bin, "postgres"), data, settings, identity);
        // Set before the server is ready, so that it also ends if this process exits now.
        server = begun;
        await ready(begun);
      });
    };
    await start();
    return {
      url: `postgres://postgres:postgres@127.0.0.1:${port}/postgres`,
      suspend: () => signalAll(server, "SIGSTOP"),
      resume: () => signalAll(server, "SIGCONT"),
      // SIGINT requests a fast shutdown, which disconnects all clients.
      halt: () => ended(server, "SIGINT"),
      kill: () => ended(server, "SIGKILL"),
      start,
      stop,
    };
  } catch (cause) {
    await stop();
    throw new Error("The PostgreSQL server did not start.", { cause });
  }
}

async function initialise(bin: string, data: string, trust: boolean, identity: Identity): Promise<void> {
  const password = `${data}.password`;
  await writeFile(password, "postgres\n");
  await mkdir(data, { mode: 0o700 });
  if (identity.uid !== undefined && identity.gid !== undefined) await chown(data, identity.uid, identity.gid);
  const options = [
    "--username=postgres",
    `--auth=${trust ? "trust" : "scram-sha-256"}`,
    "--encoding=UTF8",
    "--locale=C",
    "--no-sync",
  ];
  await promisify(execFile)(join(bin, "initdb"), [`--pgdata=${data}`, `--pwfile=${password}`, ...options], {
    ...identity,
    cwd: "/",
  });
}

/** Copies a base backup to `data`, and requests a recovery at the next start. */
async function recover(baseBackup: string, data: string, { uid, gid }: Identity): Promise<void> {
  await cp(baseBackup, data, { recursive: true });
  await writeFile(join(data, "recovery.signal"), "");
  await chmod(data, 0o700);
  if (uid !== undefined && gid !== undefined)
    await promisify(execFile)("chown", ["-R", `${String(uid)}:${String(gid)}`, data]);
}

function spawned(
  program: string,
  data: string,
  settings: Readonly<Record<string, string>>,
  identity: Identity,
) {
  const options = Object.entries(settings).flatMap(([name, value]) => ["-c", `${name}=${value}`]);
  return spawn(program, ["-D", data, ...options], {
    ...identity,
    cwd: "/",
    stdio: ["ignore", "ignore", "pipe"],
  });
}

async function ready(server: ReturnType<typeof spawned>): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    let said = "";
    server.stderr.setEncoding("utf8").on("data", (text: string) => {
      said += text;
      if (said.includes("ready to accept connections")) {
        server.stderr.removeAllListeners("data").resume();
        resolve();
      }
    });
    server.once("error", reject).once("exit", () => {
      reject(new Error(said));
    });
  });
}

/**
 * How often a start is tried.
 *
 * Sessions of a killed server may still be ending, and an outgoing connection may occupy the port.
 */
const TRIES = 50;
const PASSING = /pre-existing shared memory block|Address already in use|lock file .* already exists/;

async function readyAtLast(start: () => Promise<void>): Promise<void> {
  for (let tries = 1; ; tries += 1) {
    try {
      await start();
      return;
    } catch (cause) {
      if (tries === TRIES || !PASSING.test(String(cause))) throw cause;
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
  }
}

async function ended(server: ChildProcess | undefined, signal: NodeJS.Signals): Promise<void> {
  if (server === undefined || server.exitCode !== null || server.signalCode !== null) return;
  await signalAll(server, "SIGCONT");
  const gone = new Promise((resolve) => server.once("exit", resolve));
  server.kill(signal);
  await gone;
}

/** Signals the server first, so that it starts no more processes, and then each child process. */
async function signalAll(server: ChildProcess | undefined, signal: "SIGSTOP" | "SIGCONT"): Promise<void> {
  if (server?.pid === undefined || server.exitCode !== null || server.signalCode !== null) return;
  server.kill(signal);
  const children = await readFile(`/proc/${server.pid}/task/${server.pid}/children`, "utf8").catch(() => "");
  for (const child of children.split(" ").filter((text) => text !== "")) {
    try {
      process.kill(Number(child), signal);
    } catch {
      // The process has ended already.
    }
  }
}

async function idOf(user: string): Promise<Identity> {
  const id = async (option: string): Promise<number> =>
    Number((await promisify(execFile)("id", [option, user])).stdout);
  return { uid: await id("-u"), gid: await id("-g") };
}
