import { type ChildProcess, spawn } from "node:child_process";
import { EventEmitter, once } from "node:events";
import { mkdtempSync, readFileSync } from "node:fs";
import { rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { builtProgram } from "@tillkit/built-program";
import { type HostFacts, hostFacts } from "../../../../cli/src/dev/host-file.js";
import { textAt } from "./json.js";

const root = new URL("../../../../../", import.meta.url);

/** A child process. */
export interface Process {
  readonly child: ChildProcess;
  readonly exited: Promise<number | null>;
  /** The output of both streams so far. */
  output(): string;
  /** Resolves once the output contains `text`. Rejects if the process ends before. */
  waitForOutput(text: string): Promise<void>;
  /** Kills the process with SIGKILL if it still runs. */
  kill(): Promise<void>;
}

/** `tillkit dev` in a child process. */
export interface Program extends Process {
  readonly dataDir: string;
  /** Kills the process if it still runs, and removes its folder. */
  clean(): Promise<void>;
}

/** Returns the path of a new folder that does not exist yet. A shell must quote the path. */
export function freshFolder(): string {
  return join(mkdtempSync(join(tmpdir(), "tillkit dev ")), "it's here");
}

/** Starts Node with these arguments in the root of the repository. */
export function startProcess(
  args: readonly string[],
  environment: Readonly<Record<string, string>> = {},
): Process {
  const env = { ...process.env, ...environment };
  const child = spawn(process.execPath, args, { cwd: root, env, stdio: ["ignore", "pipe", "pipe"] });
  let output = "";
  const received = new EventEmitter();
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding("utf8").on("data", (text: string) => {
      output += text;
      received.emit("more");
    });
  }
  const exited = once(child, "close").then(() => child.exitCode);
  const waitForOutput = async (text: string) => {
    for (let over = false; !output.includes(text);) {
      if (over) throw new Error(`It ended early: ${output}`);
      over = await Promise.race([once(received, "more").then(() => false), exited.then(() => true)]);
    }
  };
  const kill = async () => {
    child.kill("SIGKILL");
    await exited;
  };
  return { child, exited, output: () => output, waitForOutput, kill };
}

/** Returns the arguments of `npm start` in the repository's manifest. */
export function startArguments(): readonly string[] {
  const manifest: unknown = JSON.parse(readFileSync(new URL("package.json", root), "utf8"));
  const [, ...args] = textAt(manifest, "scripts", "start").split(" ");
  return args;
}

// The built program starts faster than the sources.
const main = await builtProgram(new URL("../../../../../packages/cli/src/main.ts", import.meta.url));

/** Starts `tillkit dev` on a free port with `--no-history` and `options`. */
export function startProgram(
  options: readonly string[] = [],
  dataDir = freshFolder(),
  command: readonly string[] = [main, "dev"],
): Program {
  const common = ["--port", "0", "--data-dir", dataDir, "--no-history"];
  const program = startProcess([...command, ...common, ...options]);
  const clean = async () => {
    await program.kill();
    await rm(join(dataDir, ".."), { recursive: true, force: true });
  };
  return { ...program, dataDir, clean };
}

/**
 * Returns the facts in a program's `host.json`, once it has printed `ready`.
 *
 * Rejects unknown members.
 */
export async function factsOf(
  program: Pick<Program, "waitForOutput" | "dataDir">,
  ready = "Ctrl+C",
): Promise<HostFacts> {
  await program.waitForOutput(ready);
  return hostFacts.parse(JSON.parse(readFileSync(join(program.dataDir, "host.json"), "utf8")));
}
