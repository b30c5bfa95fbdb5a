import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Readable } from "node:stream";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { bundleGuideHost } from "@tillkit/built-program/guide";
import { orThrow } from "@tillkit/core";
import { openOrCreateKeyring } from "@tillkit/runtime";
import { z } from "zod";
import { quantile } from "../harness/figures.js";
import { type Usage, usageOf } from "../harness/proc.js";
import type { Contestant, Role, Round, BenchRow } from "../harness/row.js";
import { packagesOfCore } from "./installed-packages.js";

const HOME = fileURLToPath(new URL("../..", import.meta.url));
const REPOSITORY = fileURLToPath(new URL("../../..", import.meta.url));
const BUNDLED = "the bundled host of the guide";
const EMPTY = "npm start in an empty folder";
const KEPT = "npm start with its data kept";
const NOTHING = "a Node process that imports nothing";
const BETTER_AUTH = "better-auth and pg";
const WHOLE = "Tillkit's core, runtime, postgres and alipay, and pg";
const GUIDE = new URL("../../../docs/guide/bundle-a-host.md", import.meta.url);

/** Measures how long a process needs to load a library, and a host until it is ready. */
export async function startRow(): Promise<BenchRow> {
  const kept = await mkdtemp(join(tmpdir(), "tillkit-start-"));
  const whole = [
    "@tillkit/core",
    "@tillkit/core/http",
    "@tillkit/runtime",
    "@tillkit/postgres",
    "@tillkit/alipay",
    "pg",
  ];
  const packages = await packagesOfCore();
  const startProgram = await programOfStart();
  // Builds the host, as `npm ci` does for users.
  await promisify(execFile)(process.execPath, [...startProgram, "--build-only"], { cwd: REPOSITORY });
  const host = await bundleGuideHost(GUIDE, join(kept, "bundle"));
  const keyring = join(kept, "keyring.json");
  await orThrow(openOrCreateKeyring(keyring));
  // The first run stores the compiled code of the host.
  await startBundledHost(host.launcher, keyring);
  return {
    work: "a process from its start until it has imported a library as it is published and ended, or until a host listens",
    contestants: [
      {
        name: BUNDLED,
        role: "ours",
        startsAnew: true,
        play: (ms) => repeat(ms, () => startBundledHost(host.launcher, keyring)),
      },
      importing(WHOLE, "ours", whole),
      importing(BETTER_AUTH, "alternative", ["better-auth", "pg"]),
      importing("pg alone", "limit", ["pg"]),
      importing(NOTHING, "limit", []),
      {
        name: EMPTY,
        role: "ours",
        startsAnew: true,
        play: (ms) => repeat(ms, () => startInEmptyFolder(startProgram)),
      },
      {
        name: KEPT,
        role: "ours",
        startsAnew: true,
        play: (ms) => repeat(ms, () => startDevHost(startProgram, join(kept, "data"))),
      },
    ],
    targets: [
      { kind: "added-ms", than: NOTHING, atMost: 60 },
      { kind: "p50", ours: KEPT, than: NOTHING, atMost: 10 },
      { kind: "p50", ours: EMPTY, than: KEPT, atMost: 2.5 },
      { kind: "speed", ours: WHOLE, than: BETTER_AUTH, atLeast: 1 },
      {
        kind: "count",
        what: "packages that installing @tillkit/core brings, itself included",
        is: packages.length,
        atMost: 6,
      },
    ],
    close: () => rm(kept, { recursive: true, force: true }),
  };
}

/** The measurement of one start. */
interface Start {
  readonly ms: number;
  readonly used?: Usage | undefined;
}

const used = z.object({ cpu: z.number(), rss: z.number() }) satisfies z.ZodType<Usage>;

function importing(name: string, role: Role, modules: readonly string[]): Contestant {
  const imports = modules.map((module) => `await import(${JSON.stringify(module)});`).join("");
  const usage =
    "const { user, system } = process.cpuUsage(); const rss = process.memoryUsage.rss() / 1_048_576;";
  const program = `${imports}${usage} process.stdout.write(JSON.stringify({ cpu: user + system, rss }));`;
  return { name, role, startsAnew: true, play: (ms) => repeat(ms, () => runToItsEnd(program)) };
}

async function runToItsEnd(program: string): Promise<Start> {
  const from = performance.now();
  const child = spawn(process.execPath, ["--input-type=module", "--eval", program], {
    cwd: HOME,
    stdio: ["ignore", "pipe", "ignore"],
  });
  const ended = once(child, "exit");
  const output = await text(child.stdout);
  await ended;
  if (child.exitCode !== 0)
    throw new Error("A published entry point could not be imported: run `npm run build` first.");
  return { ms: performance.now() - from, used: used.parse(JSON.parse(output)) };
}

/** Returns the arguments of Node in the script `npm start` of the repository. */
async function programOfStart(): Promise<readonly string[]> {
  const manifest = z.object({ scripts: z.object({ start: z.string() }) });
  const text = await readFile(join(REPOSITORY, "package.json"), "utf8");
  return manifest.parse(JSON.parse(text)).scripts.start.split(" ").slice(1);
}

async function startInEmptyFolder(startProgram: readonly string[]): Promise<Start> {
  const folder = await mkdtemp(join(tmpdir(), "tillkit-start-"));
  try {
    return await startDevHost(startProgram, folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/**
 * Starts the bundle of the guide until it listens. It opens no connection before a request.
 *
 * Stopping it is not measured.
 */
function startBundledHost(host: string, keyring: string): Promise<Start> {
  return startUntil("listening", [host, "serve"], { KEYRING: keyring, PORT: "0", DATABASE_URL: "" });
}

/** Starts the program of `npm start` until it prints its address. Stopping it is not measured. */
function startDevHost(startProgram: readonly string[], folder: string): Promise<Start> {
  const options = ["--port", "0", "--data-dir", folder];
  return startUntil("http://127.0.0.1:", [...startProgram, ...options], {}, REPOSITORY);
}

/** Runs Node with `args` until it prints `sign`, then stops it. */
async function startUntil(
  sign: string,
  args: readonly string[],
  environment: Readonly<Record<string, string>>,
  cwd = HOME,
): Promise<Start> {
  const from = performance.now();
  const child = spawn(process.execPath, args, {
    cwd,
    env: { ...process.env, ...environment },
    stdio: ["ignore", "pipe", "inherit"],
  });
  const ended = once(child, "exit");
  try {
    await printed(child.stdout, sign);
    const ms = performance.now() - from;
    if (process.platform !== "linux") return { ms };
    return { ms, used: child.pid === undefined ? undefined : await usageOf(child.pid) };
  } finally {
    child.kill("SIGTERM");
    await ended;
  }
}

async function printed(stdout: Readable, sign: string): Promise<void> {
  let output = "";
  for await (const chunk of stdout.iterator({ destroyOnReturn: false })) {
    output += String(chunk);
    if (!output.includes(sign)) continue;
    // An unread pipe could keep the program from stopping.
    stdout.resume();
    return;
  }
  throw new Error(`The host ended before it was ready. It printed: ${output}`);
}

async function repeat(ms: number, start: () => Promise<Start>): Promise<Round> {
  const startedAt = performance.now();
  const starts: Start[] = [];
  while (starts.length === 0 || performance.now() - startedAt < ms) starts.push(await start());
  const sorted = Float64Array.from(starts.map((one) => one.ms)).sort();
  const usages = starts.flatMap((one) => one.used ?? []);
  const cpu = quantile(Float64Array.from(usages.map((one) => one.cpu)).sort(), 0.5);
  return {
    perSecond: 1_000 / quantile(sorted, 0.5),
    p50: quantile(sorted, 0.5),
    p99: quantile(sorted, 0.99),
    ...(usages.length === 0 ? {} : { cpu, rss: Math.max(...usages.map(({ rss }) => rss)) }),
  };
}
