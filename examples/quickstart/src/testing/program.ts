import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, readFileSync } from "node:fs";
import { rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { z } from "zod";
import type { HostFacts } from "../host-file.js";
import { textAt } from "./json.js";

const root = new URL("../../../../", import.meta.url);

const text = z.string().min(1);
const hostFacts: z.ZodType<HostFacts> = z.strictObject({
  baseUrl: text,
  metricsBaseUrl: text,
  appId: text,
  appSecret: text,
  downloadsClientId: text,
  sandbox: z.strictObject({ control: text }),
  secondAppId: text,
  secondAppSecret: text,
  deviceAppId: text,
  deviceAppSecret: text,
  limitedDownloadsClientId: text,
  orphanDownloadsClientId: text,
  serviceTypeNo: text,
});

/** The quickstart as a program of its own. */
export interface Program {
  readonly child: ChildProcess;
  readonly dataDir: string;
  readonly exited: Promise<number | null>;
  /** Both of its streams, so far. */
  output(): string;
  /** Removes its folder, after killing it if it still runs. */
  clean(): Promise<void>;
}

/** Starts what `npm start` starts, without npm in between, so that signals arrive. */
export function startProgram(environment: Readonly<Record<string, string>>): Program {
  const manifest: unknown = JSON.parse(readFileSync(new URL("package.json", root), "utf8"));
  const [, ...args] = textAt(manifest, "scripts", "start").split(" ");
  const dataDir = join(mkdtempSync(join(tmpdir(), "quickstart ")), "it's here");
  const env = { ...process.env, DATA_DIR: dataDir, ...environment };
  const child = spawn(process.execPath, args, { cwd: root, env, stdio: ["ignore", "pipe", "pipe"] });
  let output = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding("utf8").on("data", (text: string) => (output += text));
  }
  const exited = once(child, "close").then(() => child.exitCode);
  const clean = async () => {
    if (child.exitCode === null) child.kill("SIGKILL");
    await exited;
    await rm(join(dataDir, ".."), { recursive: true });
  };
  return { child, dataDir, exited, output: () => output, clean };
}

/** The facts of a program's `host.json`, all of them and no others, once it is there and the start-up text is out. */
export async function factsOf(program: Program): Promise<HostFacts> {
  const file = join(program.dataDir, "host.json");
  while (!existsSync(file) || !program.output().includes("Ctrl+C")) {
    if (program.child.exitCode !== null) throw new Error(`It ended early: ${program.output()}`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  return hostFacts.parse(JSON.parse(readFileSync(file, "utf8")));
}
