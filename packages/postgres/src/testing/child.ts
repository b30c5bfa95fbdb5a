import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { builtProgram } from "@tillkit/built-program";

/** A program beside this file, in a process of its own. */
export interface Child {
  readonly process: ChildProcess;
  /** The next line it prints; rejects when it ended instead. */
  line(): Promise<string>;
  /** Ends it as a crash would, and waits until it is gone. */
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
