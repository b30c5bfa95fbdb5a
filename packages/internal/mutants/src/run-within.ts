import { spawn } from "node:child_process";

/** How a program ended. `late`: it had not come to its end by the deadline, and was ended with all it had started. */
export interface Ended {
  readonly code: number | "late";
  /** Both streams, as they came. */
  readonly output: string;
}

/**
 * Runs Node with `args` in `cwd`, no longer than `deadline` milliseconds and not after `stop`, of which it throws the reason. What a mutant turns into an
 * endless loop must not stay behind.
 */
export async function runWithin(
  { deadline, stop, cwd }: { readonly deadline: number; readonly stop: AbortSignal; readonly cwd: string },
  args: readonly string[],
): Promise<Ended> {
  stop.throwIfAborted();
  const limit = AbortSignal.timeout(deadline);
  // A group of its own: its children end with it.
  const child = spawn(process.execPath, args, { cwd, detached: true, stdio: ["ignore", "pipe", "pipe"] });
  const end = () => {
    if (child.pid !== undefined) process.kill(-child.pid, "SIGKILL");
  };
  const ends = AbortSignal.any([stop, limit]);
  ends.addEventListener("abort", end);
  let output = "";
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding("utf8").on("data", (text: string) => {
      output += text;
    });
  try {
    const status = await new Promise<number>((resolve, reject) => {
      child.on("error", reject);
      child.on("close", (code) => resolve(code ?? 1));
    });
    stop.throwIfAborted();
    return { code: limit.aborted ? "late" : status, output };
  } finally {
    ends.removeEventListener("abort", end);
  }
}
