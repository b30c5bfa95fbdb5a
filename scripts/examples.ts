// Runs every example as its reader would. A program must succeed. A host must start, answer a
// request and stop on a signal.
import { type ChildProcess, spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { setTimeout as pause } from "node:timers/promises";
import { startPostgres } from "@tillkit/local-postgres";
import { z } from "zod";
import { readJsonFile, root, secondsSince, withTemporaryFolder, workspacesIn } from "@tillkit/repository";

/** Examples that serve until they are stopped. All others assert and end. */
const HOSTS = ["quickstart"];
/** Examples with another program than `main.ts`, which is missing or needs a database and keys. */
const ENTRIES: Readonly<Record<string, string>> = {
  "embedder-tests": "node-test/memberships.ts",
  production: "rehearsal.ts",
  "single-sign-on": "rehearsal.ts",
};
/**
 * How long an example may take to end or to start, in milliseconds.
 *
 * The rehearsal starts six processes from their sources, and other steps run at the same time.
 */
const DEADLINE = 180_000;
const hostFacts = z.object({ baseUrl: z.string(), appId: z.string(), appSecret: z.string() });

/** Examples that need a PostgreSQL server, and the environment variable for its address. */
const SERVER_VARIABLES: Readonly<Record<string, string>> = { production: "REHEARSAL_DATABASE_URL" };

const names = workspacesIn("examples").map(({ path }) => path.slice(`${root}examples/`.length));
let passed = 0;
for (const name of names) {
  const began = performance.now();
  const problem = await withServer(SERVER_VARIABLES[name], (server) =>
    withTemporaryFolder((folder) => runExample(name, folder, server)),
  );
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
  folder: string,
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
  const env = { ...process.env, PORT: "0", DATA_DIR: folder, TSX_TSCONFIG_PATH: tsconfig, ...server };
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
  const file = `${folder}/host.json`;
  const isHost = HOSTS.includes(name);
  const outcome = await follow(ended, isHost ? file : undefined);
  const wrong = outcome === "up" ? await askHost(file) : undefined;
  const stopped = typeof outcome === "number" ? outcome : await stop(child, ended);
  if (outcome === "late") return `neither up nor at its end after ${DEADLINE / 1000} s\n${output}`;
  if (isHost && outcome !== "up") return `it ended before it was up\n${output}`;
  return wrong ?? (stopped === 0 ? undefined : `exit code ${stopped}\n${output}`);
}

/** Resolves with the exit code, with `"up"` if the host has written its facts, or with `"late"`. */
async function follow(ended: Promise<number>, file: string | undefined): Promise<number | "up" | "late"> {
  const late = performance.now() + DEADLINE;
  while (performance.now() < late) {
    const code = await Promise.race([ended, pause(50)]);
    if (code !== undefined) return code;
    if (file !== undefined && existsSync(file)) return "up";
  }
  return "late";
}

/**
 * Sends a caller's first request to the host.
 *
 * Returns what is wrong with the answer, or `undefined`.
 */
async function askHost(file: string): Promise<string | undefined> {
  const { baseUrl, appId, appSecret } = hostFacts.parse(readJsonFile(file));
  const answer = await fetch(`${baseUrl}/payTools.json`, {
    headers: { APP_ID: appId, APP_SECRET: appSecret },
  });
  const tools = z.object({ code: z.literal(0), data: z.array(z.unknown()).min(1) });
  const parsed = tools.safeParse(await answer.json());
  return parsed.success
    ? undefined
    : `GET /payTools.json was not answered with pay tools: ${parsed.error.message}`;
}

/** Stops the example with SIGTERM, and after five seconds with SIGKILL. Returns its exit code. */
async function stop(child: ChildProcess, ended: Promise<number>): Promise<number> {
  child.kill("SIGTERM");
  const force = setTimeout(() => child.kill("SIGKILL"), 5_000);
  const code = await ended;
  clearTimeout(force);
  return code;
}
