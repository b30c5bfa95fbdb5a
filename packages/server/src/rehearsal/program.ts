import { type ChildProcess, spawn } from "node:child_process";
import { EventEmitter, once } from "node:events";
import { z } from "zod";

/** A host in its own process. */
export interface Program {
  readonly child: ChildProcess;
  /** The exit code. */
  readonly ended: Promise<number | null>;
  /** Returns the output so far. */
  output(): string;
  /**
   * Resolves with the first line, past or future, that `wanted` accepts.
   *
   * Rejects if the process ends.
   */
  line(wanted: (line: string) => boolean): Promise<string>;
}

/** Where a host listens. */
export interface Addresses {
  readonly api: string;
  readonly admin: string;
}

const readyLine = z.object({ port: z.int(), admin: z.object({ port: z.int() }) });

/** Starts Node with `args`. Passes only the variables of `environment`, and `PATH`. */
export function startProgram(
  environment: Readonly<Record<string, string>>,
  args: readonly string[],
): Program {
  const env = { PATH: process.env["PATH"], ...environment };
  const child = spawn(process.execPath, args, { env, stdio: ["ignore", "pipe", "pipe"] });
  const ended = once(child, "close").then(() => child.exitCode);
  let output = "";
  const received = new EventEmitter();
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding("utf8").on("data", (text: string) => {
      output += text;
      received.emit("text");
    });
  }
  const line: Program["line"] = async (wanted) => {
    for (let over = false; ;) {
      const more = once(received, "text");
      const found = output.split("\n").find(wanted);
      if (found !== undefined) return found;
      if (over) throw new Error(`The program ended without the expected output: ${output}`);
      over = await Promise.race([more.then(() => false), ended.then(() => true)]);
    }
  };
  return { child, ended, output: () => output, line };
}

/** Resolves with the addresses of a program once it listens. */
export async function addressesOf(program: Program): Promise<Addresses> {
  const line = await program.line((text) => text.includes('"msg":"ready"'));
  const { port, admin } = readyLine.parse(JSON.parse(line));
  return { api: `http://127.0.0.1:${port}`, admin: `http://127.0.0.1:${admin.port}` };
}
