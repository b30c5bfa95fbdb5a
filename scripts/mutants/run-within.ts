import { spawn } from "node:child_process";

/** How a program ended. `late`: it had not come to its end by the deadline, and was ended with all it had started. */
export interface Ended {
  readonly code: number | "late";
  /** Both streams, as they came. */
  readonly output: string;
}

/** Runs Node with `args` in `cwd`, no longer than `deadline` milliseconds. What a mutant turns into an endless loop must not stay behind. */
export async function runWithin(deadline: number, args: readonly string[], cwd: string): Promise<Ended> {
  // A group of its own: its children end with it.
  const child = spawn(process.execPath, args, { cwd, detached: true, stdio: ["ignore", "pipe", "pipe"] });
  const { pid } = child;
  const end = () => {
    if (pid !== undefined) process.kill(-pid, "SIGKILL");
  };
  let late = false;
  let output = "";
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding("utf8").on("data", (text: string) => {
      output += text;
    });
  const timer = setTimeout(() => {
    late = true;
    end();
  }, deadline);
  process.once("exit", end);
  try {
    const status = await new Promise<number>((resolve, reject) => {
      child.on("error", reject);
      child.on("close", (code) => resolve(code ?? 1));
    });
    return { code: late ? "late" : status, output };
  } finally {
    clearTimeout(timer);
    process.off("exit", end);
  }
}
