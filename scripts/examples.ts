// Runs every example as its reader would. Each must succeed.
import { type ChildProcess, spawn } from "node:child_process";
import { setTimeout as pause } from "node:timers/promises";
import { startPostgres } from "@tillkit/local-postgres";
import { root, secondsSince, workspacesIn } from "@tillkit/repository";

/** Examples with another program than `main.ts`, which is missing or needs a database and keys. */
const ENTRIES: Readonly<Record<string, string>> = {
  "embedder-tests": "node-test/memberships.ts",
  production: "rehearsal.ts",
  "single-sign-on": "rehearsal.ts",
};
/**
 * How long an example may take, in milliseconds.
 *
 * The rehearsal starts six processes from their sources, and other steps run at the same time.
 */
const DEADLINE = 180_000;

/** Examples that need a PostgreSQL server, and the environment variable for its address. */
const SERVER_VARIABLES: Readonly<Record<string, string>> = {
  orms: "DATABASE_URL",
  production: "REHEARSAL_DATABASE_URL",
};

const names = workspacesIn("examples").map(({ path }) => path.slice(`${root}examples/`.length));
let passed = 0;
for (const name of names) {
  const began = performance.now();
  const problem = await withServer(SERVER_VARIABLES[name], (server) => runExample(name, server));
  console.log(`${problem === undefined ? "ok    " : "FAILED"} examples/${name} (${secondsSince(began)} s)`);
  if (problem === undefined) passed += 1;
  else console.error(problem);
}
process.exitCode = passed === names.length && passed > 0 ? 0 : 1;

/**
 * Runs `work` with the address of a new PostgreSQL server in the environment variable `name`.
 *
 * Without a `name`, starts no server.
 */
async function withServer<T>(
  name: string | undefined,
  work: (server: Readonly<Record<string, string>>) => Promise<T>,
): Promise<T> {
  if (name === undefined) return work({});
  const server = await startPostgres();
  try {
    return await work({ [name]: server.url });
  } finally {
    await server.stop();
  }
}

/** Runs an example and returns what is wrong with it, or `undefined`. */
async function runExample(
  name: string,
  server: Readonly<Record<string, string>>,
): Promise<string | undefined> {
  const args = [
    "--conditions=@tillkit/source",
    "--import",
    "tsx",
    `examples/${name}/src/${ENTRIES[name] ?? "main.ts"}`,
  ];
  // tsx takes the options of the compiler from here, such as those for NestJS's decorators.
  const tsconfig = `examples/${name}/tsconfig.json`;
  const env = { ...process.env, TSX_TSCONFIG_PATH: tsconfig, ...server };
  const child = spawn(process.execPath, args, { cwd: root, env, stdio: ["ignore", "pipe", "pipe"] });
  let output = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding("utf8").on("data", (text: string) => {
      output += text;
    });
  }
  const ended = new Promise<number>((resolve) => {
    child.on("close", (code) => {
      resolve(code ?? 1);
    });
  });
  const code = await Promise.race([ended, pause(DEADLINE, "late" as const, { ref: false })]);
  if (code === 0) return undefined;
  if (code !== "late") return `exit code ${code}\n${output}`;
  await stop(child, ended);
  return `not at its end after ${DEADLINE / 1000} s\n${output}`;
}

/** Stops the example with SIGTERM, and after five seconds with SIGKILL. */
async function stop(child: ChildProcess, ended: Promise<number>): Promise<void> {
  child.kill("SIGTERM");
  const force = setTimeout(() => child.kill("SIGKILL"), 5_000);
  await ended;
  clearTimeout(force);
}
