import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { run, secondsSince } from "./lib/run.js";

const root = fileURLToPath(new URL("..", import.meta.url));

/** How an example ended: what is wrong with it, or nothing. */
type Outcome = string | undefined;

/** An example that runs to its end and asserts as it goes. */
async function runProgram(name: string): Promise<Outcome> {
  const { code, output } = await run(process.execPath, programArgs(name), root);
  return code === 0 ? undefined : `exit code ${String(code)}\n${output}`;
}

/** The quickstart runs until it is told to stop: it must come up, and stop when asked. */
async function startAndStop(name: string): Promise<Outcome> {
  const folder = await mkdtemp(join(tmpdir(), "tillkit-examples-"));
  const env = { ...process.env, PORT: "0", DATA_DIR: join(folder, "data") };
  const child = spawn(process.execPath, programArgs(name), {
    cwd: root,
    env,
    stdio: ["ignore", "pipe", "pipe"],
  });
  let output = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding("utf8").on("data", (text: string) => {
      output += text;
      // The last line of the start-up text.
      if (output.includes("Ctrl+C")) child.kill("SIGTERM");
    });
  }
  await once(child, "close");
  await rm(folder, { recursive: true });
  return child.exitCode === 0 && output.includes("Ctrl+C") ? undefined : `it ended early\n${output}`;
}

function programArgs(name: string): readonly string[] {
  return ["--conditions=@tillkit/source", "--import", "tsx", `examples/${name}/src/main.ts`];
}

const examples = { "embed-core": runProgram, "caller-backend": runProgram, quickstart: startAndStop };

for (const [name, start] of Object.entries(examples)) {
  const began = performance.now();
  const problem = await start(name);
  console.log(`${problem === undefined ? "ok    " : "FAILED"} examples/${name} (${secondsSince(began)} s)`);
  if (problem !== undefined) {
    console.error(problem);
    process.exitCode = 1;
  }
}
