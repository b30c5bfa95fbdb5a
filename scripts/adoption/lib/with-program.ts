import { type ChildProcess, spawn } from "node:child_process";

/** A program that runs. */
export interface RunningProgram {
  /** What it has printed on both streams. */
  output(): string;
  /** Resolves with the match as soon as the program has printed it. Rejects after `ms`. */
  printed(pattern: RegExp, ms: number): Promise<RegExpExecArray>;
  /** Is aborted when the program has ended. */
  readonly ended: AbortSignal;
  /** Ends the program with a signal. Rejects if it does not exit with 0. */
  end(signal: NodeJS.Signals): Promise<void>;
}

/**
 * Runs a program, and calls `use` with it.
 *
 * Stops the program afterwards. Throws if the program ends before `use` does, or if `use` fails.
 * The error contains the output of the program.
 */
export async function withProgram<T>(
  command: string,
  args: readonly string[],
  cwd: string,
  env: Readonly<Record<string, string>>,
  use: (program: RunningProgram) => Promise<T>,
): Promise<T> {
  const child = spawn(command, args, {
    cwd,
    env: { ...process.env, ...env },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let output = "";
  let onOutput = (): void => undefined;
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding("utf8").on("data", (text: string) => {
      output += text;
      onOutput();
    });
  let isEnding = false;
  const closed = new Promise<number | null>((resolve, reject) => {
    child.once("error", reject);
    child.once("close", resolve);
  });
  const ended = new AbortController();
  const endedEarly = closed.then((code) => {
    ended.abort();
    // `end` checks the code of a program that `use` ends.
    if (!isEnding) throw new Error(`The program ended with ${String(code)}.`);
    return new Promise<never>(() => undefined);
  });
  // `use` may win the race, and the program ends after it.
  endedEarly.catch(() => undefined);
  const program: RunningProgram = {
    output: () => output,
    ended: ended.signal,
    printed: (pattern, ms) =>
      new Promise((resolve, reject) => {
        const timer = setTimeout(() => reject(new Error("The program did not start in time.")), ms);
        onOutput = () => {
          const match = pattern.exec(output);
          if (match === null) return;
          clearTimeout(timer);
          resolve(match);
        };
        onOutput();
      }),
    end: async (signal) => {
      isEnding = true;
      child.kill(signal);
      const code = await closed;
      if (code !== 0) throw new Error(`After ${signal}, the program ended with ${String(code)}.`);
    },
  };
  try {
    return await Promise.race([use(program), endedEarly]);
  } catch (cause) {
    throw new Error(`${[command, ...args].join(" ")} failed\n${output}`, { cause });
  } finally {
    await stop(child);
  }
}

/** Ends the program with SIGTERM, and after five seconds with SIGKILL. */
async function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const closed = new Promise((resolve) => child.once("close", resolve));
  child.kill("SIGTERM");
  const force = setTimeout(() => child.kill("SIGKILL"), 5_000);
  await closed;
  clearTimeout(force);
}
