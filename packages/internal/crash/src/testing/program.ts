import { type ChildProcess, spawn } from "node:child_process";
import { EventEmitter, once } from "node:events";
import { mkdtempSync, readFileSync } from "node:fs";
import { rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { builtProgram } from "@tillkit/built-program";
import { type HostFacts, hostFacts } from "@tillkit-examples/quickstart/host-file";
import { textAt } from "./json.js";

const root = new URL("../../../../../", import.meta.url);

/** A process of its own. */
export interface Process {
  readonly child: ChildProcess;
  readonly exited: Promise<number | null>;
  /** Both of its streams, so far. */
  output(): string;
  /** Resolves once it has said `text`. Rejects when it ends without. */
  said(text: string): Promise<void>;
  /** Ends it as a crash would, if it still runs. */
  kill(): Promise<void>;
}

/** The quickstart as a program of its own. */
export interface Program extends Process {
  readonly dataDir: string;
  /** Removes its folder, after killing it if it still runs. */
  clean(): Promise<void>;
}

/** A name for a folder that is not there yet, in one that is. What it ends in needs quoting in a shell. */
export function freshFolder(): string {
  return join(mkdtempSync(join(tmpdir(), "quickstart ")), "it's here");
}

/** Starts Node with these arguments in the root of the repository. */
export function startProcess(
  args: readonly string[],
  environment: Readonly<Record<string, string>>,
): Process {
  const env = { ...process.env, ...environment };
  const child = spawn(process.execPath, args, { cwd: root, env, stdio: ["ignore", "pipe", "pipe"] });
  let output = "";
  const heard = new EventEmitter();
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding("utf8").on("data", (text: string) => {
      output += text;
      heard.emit("more");
    });
  }
  const exited = once(child, "close").then(() => child.exitCode);
  const said = async (text: string) => {
    for (let over = false; !output.includes(text);) {
      if (over) throw new Error(`It ended early: ${output}`);
      over = await Promise.race([once(heard, "more").then(() => false), exited.then(() => true)]);
    }
  };
  const kill = async () => {
    child.kill("SIGKILL");
    await exited;
  };
  return { child, exited, output: () => output, said, kill };
}

/** The arguments of `npm start`, as they stand in the repository's manifest. */
export function startArguments(): readonly string[] {
  const manifest: unknown = JSON.parse(readFileSync(new URL("package.json", root), "utf8"));
  const [, ...args] = textAt(manifest, "scripts", "start").split(" ");
  return args;
}

// The same program, sooner there.
const main = await builtProgram(new URL("../../../../../examples/quickstart/src/main.ts", import.meta.url));

/** Starts what `npm start` starts, without npm in between, so that signals arrive. */
export function startProgram(
  environment: Readonly<Record<string, string>>,
  dataDir = freshFolder(),
  args: readonly string[] = [main],
): Program {
  const program = startProcess(args, { DATABASE_URL: "", DATA_DIR: dataDir, ...environment });
  const clean = async () => {
    await program.kill();
    await rm(join(dataDir, ".."), { recursive: true, force: true });
  };
  return { ...program, dataDir, clean };
}

/** The facts of a program's `host.json`, all of them and no others, once it is there and the start-up text is out. */
export async function factsOf(
  program: Pick<Program, "said" | "dataDir">,
  ready = "Ctrl+C",
): Promise<HostFacts> {
  await program.said(ready);
  return hostFacts.parse(JSON.parse(readFileSync(join(program.dataDir, "host.json"), "utf8")));
}
