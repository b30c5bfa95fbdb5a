import { type ChildProcess, execFile, spawn } from "node:child_process";
import { chmod, chown, mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { copyBinaries } from "./binaries.js";

/** A server that runs. */
export interface LocalPostgres {
  /** As its superuser, on 127.0.0.1. */
  readonly url: string;
  /** Lets the server fall silent: its connections stay, and new ones are taken, but nothing is answered until `thaw`. Linux only. */
  readonly freeze: () => Promise<void>;
  readonly thaw: () => Promise<void>;
  /** Disconnects everybody and ends the server. What it kept stays for `start`. */
  readonly halt: () => Promise<void>;
  /** Starts the server again, on the same port. */
  readonly start: () => Promise<void>;
  /** Stops the server and removes what it kept. */
  readonly stop: () => Promise<void>;
}

type Identity = { readonly uid?: number; readonly gid?: number };

const SETTINGS = {
  listen_addresses: "127.0.0.1",
  unix_socket_directories: "",
  max_connections: "200",
  // What a test wrote need not outlive the machine.
  fsync: "off",
  synchronous_commit: "off",
  full_page_writes: "off",
  shared_buffers: "128MB",
};

/**
 * Starts a PostgreSQL server in a temporary folder: of the programs in the folder `programs`, or of those npm installed. Root starts it as the user nobody,
 * because the server refuses to run as root.
 */
export async function startPostgres(programs?: string): Promise<LocalPostgres> {
  const folder = await mkdtemp(join(tmpdir(), "tillkit-postgres-"));
  let server: ChildProcess | undefined;
  const stop = async (): Promise<void> => {
    await stopped(server);
    await rm(folder, { recursive: true, force: true });
  };
  try {
    await chmod(folder, 0o755);
    const identity = process.getuid?.() === 0 ? await idOf("nobody") : {};
    const bin = programs ?? (await copyBinaries(join(folder, "server")));
    const data = join(folder, "data");
    await initialise(bin, data, identity);
    const port = await freePort();
    const start = async (): Promise<void> => {
      server = await started(join(bin, "postgres"), data, port, identity);
    };
    await start();
    return {
      url: `postgres://postgres:postgres@127.0.0.1:${port}/postgres`,
      freeze: () => signalAll(server, "SIGSTOP"),
      thaw: () => signalAll(server, "SIGCONT"),
      halt: () => stopped(server),
      start,
      stop,
    };
  } catch (cause) {
    await stop();
    throw new Error("No PostgreSQL server could be started.", { cause });
  }
}

async function initialise(bin: string, data: string, identity: Identity): Promise<void> {
  const password = `${data}.password`;
  await writeFile(password, "postgres\n");
  await mkdir(data, { mode: 0o700 });
  if (identity.uid !== undefined && identity.gid !== undefined) await chown(data, identity.uid, identity.gid);
  const options = [
    "--username=postgres",
    "--auth=scram-sha-256",
    "--encoding=UTF8",
    "--locale=C",
    "--no-sync",
  ];
  await promisify(execFile)(join(bin, "initdb"), [`--pgdata=${data}`, `--pwfile=${password}`, ...options], {
    ...identity,
    cwd: "/",
  });
}

async function started(
  program: string,
  data: string,
  port: number,
  identity: Identity,
): Promise<ChildProcess> {
  const settings = Object.entries(SETTINGS).flatMap(([name, value]) => ["-c", `${name}=${value}`]);
  const server = spawn(program, ["-D", data, "-p", String(port), ...settings], {
    ...identity,
    cwd: "/",
    stdio: ["ignore", "ignore", "pipe"],
  });
  process.once("exit", () => server.kill("SIGQUIT"));
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
  return server;
}

async function stopped(server: ChildProcess | undefined): Promise<void> {
  if (server === undefined || server.exitCode !== null || server.signalCode !== null) return;
  await signalAll(server, "SIGCONT");
  const gone = new Promise((resolve) => server.once("exit", resolve));
  // Fast shutdown: whoever is still connected is disconnected.
  server.kill("SIGINT");
  await gone;
}

/** Signals the server first, so that it starts no more processes, and then each of its processes. */
async function signalAll(server: ChildProcess | undefined, signal: "SIGSTOP" | "SIGCONT"): Promise<void> {
  if (server?.pid === undefined || server.exitCode !== null || server.signalCode !== null) return;
  server.kill(signal);
  const children = await readFile(`/proc/${server.pid}/task/${server.pid}/children`, "utf8").catch(() => "");
  for (const child of children.split(" ").filter((text) => text !== "")) {
    try {
      process.kill(Number(child), signal);
    } catch {
      // It ended meanwhile.
    }
  }
}

async function idOf(user: string): Promise<Identity> {
  const id = async (option: string): Promise<number> =>
    Number((await promisify(execFile)("id", [option, user])).stdout);
  return { uid: await id("-u"), gid: await id("-g") };
}

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject).listen(0, "127.0.0.1", resolve);
  });
  const address = server.address();
  await new Promise<void>((resolve) => {
    server.close(() => {
      resolve();
    });
  });
  if (address === null || typeof address === "string") throw new Error("No free port was found.");
  return address.port;
}
