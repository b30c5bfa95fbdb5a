import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { builtProgram } from "@tillkit/built-program";

/** A program of this folder that runs in its own process. */
export interface Child {
  readonly process: ChildProcess;
  /** Resolves with the next printed line. Rejects if the process ends first. */
  line(): Promise<string>;
  /** Kills the process, as a crash would, and waits until it has ended. */
  kill(): Promise<void>;
}

/** Starts the program `name` of this folder. */
export async function startChild(name: string, ...args: readonly string[]): Promise<Child> {
  const file = await builtProgram(new URL(name, import.meta.url));
  const child = spawn(process.execPath, [file, ...args], { stdio: ["pipe", "pipe", "inherit"] });
  const gone = once(child, "close");
  const lines = createInterface(child.stdout)[Symbol.asyncIterator]();
  return {
    process: child,
    line: async () => {
      const next = await lines.next();
      if (next.done === true) throw new Error("The program ended.");
      return next.value;
    },
    kill: async () => {
      child.kill("SIGKILL");
      await gone;
    },
  };
}
