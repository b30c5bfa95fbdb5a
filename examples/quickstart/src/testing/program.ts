import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, readFileSync } from "node:fs";
import { rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type HostFacts, hostFacts } from "../host-file.js";
import { textAt } from "./json.js";

const root = new URL("../../../../", import.meta.url);

/** The quickstart as a program of its own. */
export interface Program {
  readonly child: ChildProcess;
  readonly dataDir: string;
  readonly exited: Promise<number | null>;
  /** Both of its streams, so far. */
  output(): string;
  /** Ends it as a crash would, if it still runs. */
  kill(): Promise<void>;
  /** Removes its folder, after killing it if it still runs. */
  clean(): Promise<void>;
}

/** A name for a folder that is not there yet, in one that is. What it ends in needs quoting in a shell. */
export function freshFolder(): string {
  return join(mkdtempSync(join(tmpdir(), "quickstart ")), "it's here");
}

/** Starts what `npm start` starts, without npm in between, so that signals arrive. */
export function startProgram(
  environment: Readonly<Record<string, string>>,
  dataDir = freshFolder(),
): Program {
  const manifest: unknown = JSON.parse(readFileSync(new URL("package.json", root), "utf8"));
  const [, ...args] = textAt(manifest, "scripts", "start").split(" ");
  const env = { ...process.env, DATABASE_URL: "", DATA_DIR: dataDir, ...environment };
  const child = spawn(process.execPath, args, { cwd: root, env, stdio: ["ignore", "pipe", "pipe"] });
  let output = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding("utf8").on("data", (text: string) => (output += text));
  }
  const exited = once(child, "close").then(() => child.exitCode);
  const kill = async () => {
    child.kill("SIGKILL");
    await exited;
  };
  const clean = async () => {
    await kill();
    await rm(join(dataDir, ".."), { recursive: true, force: true });
  };
  return { child, dataDir, exited, output: () => output, kill, clean };
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
