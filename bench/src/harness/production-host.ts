import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Readable } from "node:stream";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { z } from "zod";
import { SCHEMA, type ShopFacts } from "../shop/shop-facts.js";
import { type Usage, usageOf } from "./proc.js";

/** The folder of the host that readers copy. */
const EXAMPLE = new URL("../../../examples/production/", import.meta.url);

/** A host of `examples/production`. */
export interface ProductionHost {
  readonly port: number;
  /** Resolves with the usage of all its processes. */
  readonly usage: () => Promise<Usage>;
  readonly close: () => Promise<void>;
}

/** How to start a host. */
export interface ProductionHostOptions {
  /** The program, such as that of {@link buildProductionHost}. */
  readonly program: string;
  readonly facts: ShopFacts;
  /** Variables that differ from those of a usual host. */
  readonly environment?: Readonly<Record<string, string>>;
}

/**
 * Builds the example as its README says, and returns the path of the program.
 *
 * It imports the packages as they are published, so it needs `npm run build` of the repository.
 */
export async function buildProductionHost(): Promise<string> {
  await promisify(execFile)("npm", ["run", "build"], { cwd: EXAMPLE });
  return fileURLToPath(new URL("dist/main.js", EXAMPLE));
}

const ready = z.object({ msg: z.literal("ready"), port: z.int() });

/** Starts a host with the usual settings of production, and resolves when it is ready. */
export async function startProductionHost(options: ProductionHostOptions): Promise<ProductionHost> {
  const folder = await mkdtemp(join(tmpdir(), "tillkit-host-"));
  const child = spawn(process.execPath, [options.program], {
    cwd: EXAMPLE,
    env: { PATH: process.env["PATH"], ...(await environmentOf(options, folder)) },
    stdio: ["ignore", "pipe", "inherit"],
  });
  const ended = once(child, "exit");
  const close = async () => {
    child.kill("SIGTERM");
    await ended;
    await rm(folder, { recursive: true });
  };
  const line = await readyLine(child.stdout);
  if (line === undefined) {
    await close();
    throw new Error("The host ended before it was ready.");
  }
  // An unread log would stop the host.
  child.stdout.resume();
  const { port } = ready.parse(JSON.parse(line));
  return { port, usage: () => usageOf(child.pid ?? 0), close };
}

async function readyLine(stdout: Readable): Promise<string | undefined> {
  let output = "";
  for await (const chunk of stdout.iterator({ destroyOnReturn: false })) {
    output += String(chunk);
    const found = output.match(/^.*"msg":"ready".*$/mu);
    if (found !== null) return found[0];
  }
  return undefined;
}

async function environmentOf({ facts, environment }: ProductionHostOptions, folder: string) {
  const { pepper, credentialKey, databaseUrl } = facts;
  const keyringFile = join(folder, "keyring.json");
  const keyring = {
    peppers: [{ version: 1, key: pepper }],
    credentialKeys: [{ version: 1, key: credentialKey }],
  };
  await writeFile(keyringFile, JSON.stringify(keyring), { mode: 0o600 });
  return {
    NODE_ENV: "production",
    HOST: "127.0.0.1",
    PORT: "0",
    ADMIN_PORT: "0",
    PUBLIC_URL: "https://pay.example.com",
    DATABASE_URL: databaseUrl,
    TILLKIT_SCHEMA: SCHEMA,
    TILLKIT_KEYS_FILE: keyringFile,
    WALLETS: "live",
    // The wallets cannot be reached, and the end must not take longer than the measurement.
    RECONCILE_EVERY_MS: "600000",
    DRAIN_DELAY_MS: "0",
    ...environment,
  };
}
