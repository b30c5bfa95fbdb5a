import { type ChildProcess, spawn } from "node:child_process";
import { EventEmitter, once } from "node:events";
import { fileURLToPath } from "node:url";
import { z } from "zod";

/** A host in a process of its own. */
export interface Program {
  readonly child: ChildProcess;
  /** Its exit code. */
  readonly ended: Promise<number | null>;
  /** All it has said so far. */
  output(): string;
  /** The first line, of those said already and those to come, for which `wanted` is true. Rejects when it ends without one. */
  line(wanted: (line: string) => boolean): Promise<string>;
}

/** Where a host listens. */
export interface Addresses {
  readonly api: string;
  readonly admin: string;
}

/** What Node runs: the sources, with the options of this process. */
const SOURCES = [...process.execArgv, fileURLToPath(new URL("../main.ts", import.meta.url))] as const;
const readyLine = z.object({ port: z.int(), admin: z.object({ port: z.int() }) });

/** Starts `main.ts`, or what `args` name instead of its sources, with no environment but `environment`, and the path. */
export function startProgram(
  environment: Readonly<Record<string, string>>,
  args: readonly string[] = SOURCES,
): Program {
  const env = { PATH: process.env["PATH"], ...environment };
  const child = spawn(process.execPath, args, { env, stdio: ["ignore", "pipe", "pipe"] });
  const ended = once(child, "close").then(() => child.exitCode);
  let output = "";
  const heard = new EventEmitter();
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding("utf8").on("data", (text: string) => {
      output += text;
      heard.emit("text");
    });
  }
  const line: Program["line"] = async (wanted) => {
    for (let over = false; ;) {
      const more = once(heard, "text");
      const found = output.split("\n").find(wanted);
      if (found !== undefined) return found;
      if (over) throw new Error(`It ended without saying so: ${output}`);
      over = await Promise.race([more.then(() => false), ended.then(() => true)]);
    }
  };
  return { child, ended, output: () => output, line };
}

/** Where a program listens, once it does. */
export async function addressesOf(program: Program): Promise<Addresses> {
  const line = await program.line((text) => text.includes('"msg":"ready"'));
  const { port, admin } = readyLine.parse(JSON.parse(line));
  return { api: `http://127.0.0.1:${port}`, admin: `http://127.0.0.1:${admin.port}` };
}
