import { spawn } from "node:child_process";

/**
 * The exit code and output of a program. `late`: it was killed at the deadline with its children.
 */
export interface Ended {
  readonly code: number | "late";
  /** Both streams, in the order of arrival. */
  readonly output: string;
}

/** Where and how long a program runs. */
export interface RunOptions {
  /** Timeout in milliseconds. */
  readonly deadline: number;
  readonly stop: AbortSignal;
  readonly cwd: string;
  /** Environment variables in addition to those of this process. */
  readonly env?: Readonly<Record<string, string>>;
}

/**
 * Runs Node with `args` in `cwd` for at most `deadline` milliseconds.
 *
 * Kills the program and its children at the deadline, because a mutant may loop forever. If `stop`
 * aborts, kills them as well and throws its reason.
 */
export async function runWithin(
  { deadline, stop, cwd, env = {} }: RunOptions,
  args: readonly string[],
): Promise<Ended> {
  stop.throwIfAborted();
  const limit = AbortSignal.timeout(deadline);
  // The program has its own process group, so that its children end with it.
  const child = spawn(process.execPath, args, {
    cwd,
    env: { ...process.env, ...env },
    detached: true,
    stdio: ["ignore", "pipe", "pipe"],
  });
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
