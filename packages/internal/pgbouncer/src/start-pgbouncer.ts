import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { chmod, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { freePort } from "@tillkit/local-postgres";

/** The options of {@link startPgBouncer}. */
export interface PgBouncerOptions {
  /** The URL of the database for the role that connects through PgBouncer, with its password. */
  readonly url: string;
  /** The number of server connections. */
  readonly poolSize: number;
  /**
   * The number of prepared statements of a server connection. A value above 0 needs PgBouncer 1.21.
   */
  readonly maxPreparedStatements: number;
}

/** A running PgBouncer in transaction mode. */
export interface PgBouncer {
  /** The URL of the database behind PgBouncer. */
  readonly url: string;
  readonly stop: () => Promise<void>;
}

/** Returns the version of the installed PgBouncer as two numbers, or `undefined` without one. */
export async function pgBouncerVersion(): Promise<readonly [major: number, minor: number] | undefined> {
  const run = promisify(execFile)("pgbouncer", ["--version"]).catch(() => undefined);
  const [, major, minor] = /PgBouncer (\d+)\.(\d+)/.exec((await run)?.stdout ?? "") ?? [];
  return major === undefined ? undefined : [Number(major), Number(minor)];
}

/** Starts PgBouncer in transaction mode on a free port of 127.0.0.1. */
export async function startPgBouncer(options: PgBouncerOptions): Promise<PgBouncer> {
  const folder = await mkdtemp(join(tmpdir(), "tillkit-pgbouncer-"));
  await chmod(folder, 0o755);
  const port = await freePort();
  const database = new URL(options.url);
  const users = join(folder, "users.txt");
  const settings = join(folder, "pgbouncer.ini");
  const [role, password] = [database.username, database.password].map(decodeURIComponent);
  await writeFile(users, `"${role ?? ""}" "${password ?? ""}"\n`);
  await writeFile(settings, settingsOf(options, { users, port, database }));
  // PgBouncer refuses to run as root, and changes to the user of its settings.
  const child = spawn("pgbouncer", [settings], { stdio: ["ignore", "ignore", "pipe"] });
  const stop = async () => {
    if (child.exitCode === null && child.signalCode === null) {
      const ended = once(child, "exit");
      child.kill("SIGKILL");
      await ended;
    }
    await rm(folder, { recursive: true, force: true });
  };
  let output = "";
  await new Promise<void>((resolve, reject) => {
    child.stderr.setEncoding("utf8").on("data", (text: string) => {
      output += text;
      if (output.includes("process up")) resolve();
    });
    child.once("error", reject).once("exit", () => {
      reject(new Error(`PgBouncer ended: ${output}`));
    });
  });
  const url = new URL(options.url);
  url.port = String(port);
  return { url: url.href, stop };
}

function settingsOf(
  { poolSize, maxPreparedStatements }: PgBouncerOptions,
  { users, port, database }: { readonly users: string; readonly port: number; readonly database: URL },
): string {
  return [
    "[databases]",
    `* = host=${database.hostname} port=${database.port}`,
    "[pgbouncer]",
    "listen_addr = 127.0.0.1",
    `listen_port = ${String(port)}`,
    "unix_socket_dir =",
    "auth_type = scram-sha-256",
    `auth_file = ${users}`,
    "pool_mode = transaction",
    `default_pool_size = ${String(poolSize)}`,
    "max_client_conn = 500",
    ...(maxPreparedStatements > 0 ? [`max_prepared_statements = ${String(maxPreparedStatements)}`] : []),
    ...(process.getuid?.() === 0 ? ["user = nobody"] : []),
    "",
  ].join("\n");
}
